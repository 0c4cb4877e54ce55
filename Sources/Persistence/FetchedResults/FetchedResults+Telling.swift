// Telling the delegate.

extension FetchedResults {
  func tell(_ change: FetchedResultsChange, _ old: FetchedRows, _ new: FetchedRows) {
    guard let delegate, !change.isEmpty else { return }
    let controller = FetchedResultsController<any FetchRequestResult>(results: self)
    delegate.controllerWillChangeContent(controller)
    for number in change.deletedSections {
      delegate.controller(
        controller, didChange: section(number, of: old).emptied, atSectionIndex: number,
        for: .delete)
    }
    for number in change.insertedSections {
      delegate.controller(
        controller, didChange: section(number, of: new), atSectionIndex: number, for: .insert)
    }
    for row in change.rows {
      delegate.controller(
        controller, didChange: row.object, at: row.indexPath, for: row.type,
        newIndexPath: row.newIndexPath)
    }
    delegate.controllerDidChangeContent(controller)
  }

  func section(_ number: Int, of rows: FetchedRows) -> FetchedResultsSection {
    let name = rows.name(ofSection: number)
    return FetchedResultsSection(
      name: name, indexTitle: isGrouped ? indexTitle(of: name) : nil,
      members: rows.members(ofSection: number))
  }

  func indexTitle(of name: String) -> String {
    let controller = FetchedResultsController<any FetchRequestResult>(results: self)
    return delegate?.controller(controller, sectionIndexTitleForSectionName: name)
      ?? name.prefix(1).uppercased()
  }
}
