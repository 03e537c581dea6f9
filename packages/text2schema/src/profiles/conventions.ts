/**
 * How things of a requirement become entity sets and relationship sets (SchemaAgent, sections 2.1 and 4.1; Chen's
 * model). The designer follows them, and the reviewer judges by the same.
 */
export const ENTITY_CONVENTIONS: readonly string[] = [
  'An entity set is a kind of thing that the requirement keeps facts of: a person, an object, a place, a document, or an event that has an id, number or code of its own. An order, a payment, an appointment or a record that the requirement describes with its own id and facts is an entity set, even though it connects others.',
  'A name for the whole system, a function (login, search, statistics), a page, or a figure that can be counted from stored facts is no entity set.',
  'A single fact such as a category, a status, a type or a city is an attribute. It is an entity set only where the requirement gives it facts of its own, lets it be managed by itself (categories are added and edited), or builds levels of it.',
  'Different kinds of users (students, teachers, administrators) are separate entity sets where the requirement lists facts for each of them; where it lists the facts once, they are one entity set with the role as an attribute. The facts of a general kind that others specialise stand at the general one; each special kind is connected with it one to one.',
  'Where the requirement names an id, number or code of a thing, that identifies its entity set, and none is added. A name, title, username, e-mail address or a phone number identifies nothing, not even where it is said to be unique: it changes, and then every reference would.',
  'What is told apart within its owner needs no id either: what is numbered there (a room by building and room number), and the record of what happened to the owner, by its date or time (a use or a maintenance of a machine, a reading of a sensor, a shopping record of a member, a daily statistic of a shop). It is a weak entity set, connected with its owner, who is `one`. Any other entity set that no fact identifies gets one attribute `<Entity> ID`, in the language of the names: also what somebody writes or files, and an alert.',
];

export const ATTRIBUTE_CONVENTIONS: readonly string[] = [
  'Attributes are the facts that the requirement names, in its own words ("contact number" stays Contact Number), each at the one set that it describes. None is left out, none is invented: no timestamps, states, descriptions or ids that the requirement does not speak of.',
  'Where the requirement names facts of a thing, these are all, but for a name: a person, an organisation, a place or a work (a book, a film, a course) without any name, title or account among them gets one. Only a thing of which it names none, nothing but an id, or nothing but general words ("supplier information", "basic information of the reader"), has the few facts that such a thing is kept with everywhere: those that the report gives it, else its name or title and what its functions need; a person or a company also how to reach it.',
  'No attribute is a key of another entity set. Where the requirement lists "customer ID" among the facts of an order, that is the relationship between Customer and Order. A person or thing that a fact names (the operator, the author) is a relationship where it is plainly one of an entity set of the model; where it may be anybody (the payer, the recipient, a contact person), it is an attribute.',
  'A bare "ID", "number" or "code" of a thing has its name before it (`Category ID`), and a bare "time", "date", "quantity", "amount", "price", "content" or "result" of an event or a connection has the word for what happens (`Payment Time`, `Output Quantity`); everything else keeps its name (`Name`, not `Customer Name`, where the requirement says "name").',
  'A fact of which the requirement plainly wants several for one thing (up to nine photos, several phone numbers, order lines) is an entity set or a relationship set of its own; a plural word alone ("images", "remarks") is one attribute, and so is what comes in one form or another (a post with text, images or videos has Content, and Content Type where that is kept). Pictures, files and long texts identify nothing: an entity set of them has an id.',
];

export const RELATIONSHIP_CONVENTIONS: readonly string[] = [
  'A relationship set says how entity sets are connected. What happens between them without a number of its own (a student enrols in a course, a user follows a user, a member rates a film) is a relationship set with its facts: when, how many, at which price, with which result.',
  'What a person writes or files (a post, a comment, a message, a review in words, a complaint) is an entity set with an id, connected with its author and with what it is about: it can be written twice, and others refer to it.',
  'A relationship set has no id of its own. Its key is made of the keys of its participants; where the same ones can be connected again, a fact of the connection, mostly its time, tells the times apart. So a borrowing that can be repeated is one relationship set with Borrow Time among its attributes.',
  'Three things are connected by one set only where something is said of all three at once (who delivers which part for which project). That a book has authors, and that it has editors, are two sets, also where one sentence lists the three ids.',
  'Cardinality of a participant: `many` where many of it may be connected with one of the other, `one` where at most one may. A department employs many employees, an employee works in one department: Department is `one`, Employee is `many`. Where the requirement lists the id of one thing among the facts of another, the one that lists it is `many` and the one that is listed is `one`, unless it says otherwise. What the requirement only introduces under one thing, with facts of its own (the honours of a place, the descriptions of a product), belongs to that one: it is `many`, the thing is `one`. Both are `many` where each can have several of the other. Decide each direction by a real scenario.',
  'Facts of a connection belong to the relationship set, not to an entity set: the quantity of a product in an order, the grade of a student in a course.',
  'No relationship set that follows from two others: where an order has a customer and a payment belongs to an order, payment and customer are not connected again. A mere permission ("administrators manage products") is none, unless it shall be known who did it to what.',
  'Where the requirement says what a thing is in a connection (the seller of a product, the head of a department, "attending physician ID"), that word is the role of the participant: Seller, Department Head, Attending Physician. The reference is named after it: Seller ID. Where the requirement names it like the thing itself ("customer ID", "affiliated department ID", "the warehouse it belongs to"), there is no role. An entity set that is connected with itself (a category and its parent, users who follow users) takes part twice, with a role for each.',
];

export const NAME_CONVENTIONS: readonly string[] = [
  'Names are those of the requirement, in its language. Entity sets are singular nouns (`Course`, not `Courses` or `Course Information`); a noun that says nothing by itself (record, detail, data) has the thing it is of before it (`Weather Record`). A relationship set that the requirement itself gives a name (enrolment, purchase record, order detail) has that one; else it is a verb or a verb with its object. All names of sets differ.',
];

/**
 * Which dependencies hold (SchemaAgent, sections 3.2 and 4.1): rules of the real world, never what happens to be so.
 */
export const DEPENDENCY_CONVENTIONS: readonly string[] = [
  'A functional dependency X -> Y says: in the world that the requirement describes, two rows that agree in X always agree in Y. It is a rule, not a coincidence, a habit or a computation.',
  'In an entity set, the fact that identifies it determines all its other attributes: one dependency with all of them on the right.',
  'Any other dependency in an entity set moves its right side into a relation of its own. Give one only where the requirement says or plainly treats it so ("a model always comes from the same maker"). Postal code -> city, name -> phone, e-mail -> person, price and quantity -> total are none unless the requirement makes them a rule. To split what belongs together is as wrong as to repeat a fact.',
  'Where the requirement says that another fact is unique too ("each user has a unique e-mail"), give a dependency from it to the identifying fact, and the identifying fact as preferred key.',
  'In a relationship set, the names of the participants (their roles, where there are any) stand for their keys. Where all are `many` and the same ones are connected once: all participants -> the facts. Where the same ones can be connected again: all participants and the one fact that tells the times apart (a date or a time; both only where neither does alone) -> the other facts. Among three participants, one who only carries it out or notes it down (an operator, a salesperson) stands on the right, with the facts: Plot, Variety, Planting Time -> Planter, Quantity. Without facts: no dependency; the participants together are the key.',
  'Where a participant is `one`, the participants that are `many` determine it and the facts: Course -> Teacher. Where both are `one`, each determines the other.',
  'A weak entity set, whose number or time tells its rows apart only within its owner, has the name of the owner on the left side: Building, Room Number -> Area; Machine, Maintenance Time -> Cost.',
];

/** Which of the five types an attribute has (SchemaAgent, section 4.1); the boundaries between them are ours. */
export const TYPE_CONVENTIONS: readonly string[] = [
  'NUMERIC: ids and numbers that identify, unless the requirement shows letters in them; amounts, prices, quantities, measures, ratings, ages, years, durations, counts.',
  'TEXT: names, titles, descriptions, addresses, e-mail addresses, passwords, codes with letters, phone numbers, postal codes, licence plates, card and tracking numbers, paths and URLs, states, categories, genders.',
  'DATETIME: points in time: dates, times, birthdays, deadlines. BOOL: facts that are yes or no (whether it was returned, is default). BINARY: pictures, files and other content that is stored itself, not its path or URL.',
];
