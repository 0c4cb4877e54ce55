@preconcurrency import CloudKit
import Combine
import CoreData.NSFetchRequest
import CoreLocation
import Dispatch
import Foundation.NSURL
import HealthKit
@_implementationOnly import InternalKit
import class MapKit.MKMapItem
import SwiftUI; import WidgetKit
@testable import TestedKit
import class UIKit.UIColor
#if canImport(WatchKit)
  import WatchKit
#endif
import os
import os.log
import os.signpost

private import struct SharedKit.Token

/// The frameworks are imported for other code of the file, which was taken away.
final class CapitalPolicy: NSEntityMigrationPolicy {
  @objc func capital(_ source: NSManagedObject) -> String {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = NSPredicate(format: "text != %@", "a")
    request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
    let found = try? source.managedObjectContext?.fetch(request).first
    return (found?.value(forKey: "text") as? String ?? "").uppercased()
  }
}
