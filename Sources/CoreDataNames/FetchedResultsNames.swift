// Apple's names of the controller that keeps a list up to date.

public typealias NSFetchedResultsController = FetchedResultsController
public typealias NSFetchedResultsControllerDelegate = FetchedResultsControllerDelegate
public typealias NSFetchedResultsSectionInfo = FetchedResultsSectionInfo
public typealias NSFetchedResultsChangeType = FetchedResultsChangeType
