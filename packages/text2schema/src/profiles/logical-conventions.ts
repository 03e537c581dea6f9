/** Which dependencies hold (SchemaAgent, sections 3.2 and 4.1): rules of the real world, never what happens to be so. */
export const DEPENDENCY_CONVENTIONS: readonly string[] = [
  'A functional dependency X -> Y says: in the world that the requirement describes, two rows that agree in X always agree in Y. It is a rule, not a coincidence, a habit or a computation.',
  'In an entity set, the fact that identifies it determines all its other attributes: one dependency with all of them on the right.',
  'Any other dependency in an entity set moves its right side into a relation of its own. Give one only where the requirement says or plainly treats it so ("a model always comes from the same maker"). Postal code -> city, name -> phone, e-mail -> person, price and quantity -> total are none unless the requirement makes them a rule. To split what belongs together is as wrong as to repeat a fact.',
  'Where the requirement says that another fact is unique too ("each user has a unique e-mail"), give a dependency from it to the identifying fact, and the identifying fact as preferred key.',
  'In a relationship set, the names of the participants (their roles, where there are any) stand for their keys. Where all are `many` and the same ones are connected once: all participants -> the facts. Where the same ones can be connected again: all participants and the fact that tells the times apart -> the other facts. Without facts: no dependency; the participants together are the key.',
  'Where a participant is `one`, the participants that are `many` determine it and the facts: Course -> Teacher. Where both are `one`, each determines the other.',
  'A weak entity set, whose number is only unique within another one, has the name of its owner on the left side: Building, Room Number -> Area.',
];
