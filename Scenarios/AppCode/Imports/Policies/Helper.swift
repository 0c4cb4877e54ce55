import Foundation
import XCTest

/// A file without Core Data's import has the same classes.
func startsWith(_ text: String) -> NSPredicate { NSPredicate(format: "text BEGINSWITH %@", text) }
