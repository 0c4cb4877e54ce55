import CoreData

@objc(Titles)
final class TitlesPolicy: BasePolicy {}
