/**
 * How things of a requirement become entity sets and relationship sets (SchemaAgent, sections 2.1 and 4.1; Chen's model). The designer
 * follows them, and the reviewer judges by the same.
 */
export const ENTITY_CONVENTIONS: readonly string[] = [
  'An entity set is a kind of thing that the requirement keeps facts of: a person, an object, a place, a document, or an event that has an id, number or code of its own. An order, a payment, an appointment or a record that the requirement describes with its own id and facts is an entity set, even though it connects others.',
  'A name for the whole system, a function (login, search, statistics), a page, or a figure that can be counted from stored facts is no entity set.',
  'A single fact such as a category, a status, a type or a city is an attribute. It is an entity set only where the requirement gives it facts of its own, lets it be managed by itself (categories are added and edited), or builds levels of it.',
  'Different kinds of users (students, teachers, administrators) are separate entity sets where the requirement lists facts for each of them; where it lists the facts once, they are one entity set with the role as an attribute. The facts of a general kind that others specialise stand at the general one; each special kind is connected with it one to one.',
  'Where the requirement names an id, number or code of a thing, or a name that is said to be unique, that identifies its entity set, and none is added. A username, title, e-mail address, phone number or account elsewhere that is not said to be unique identifies nothing: mostly it changes or repeats. What is numbered within its owner, or is there once for each owner and day or month (a room by building and room number, a daily statistic by shop and date), needs no id either: it is a weak entity set, connected with its owner, who is `one`. Any other entity set that no fact identifies gets one attribute `<Entity> ID`, in the language of the names: also a record of one owner of which there can be many (a message or a feedback of a user, an alert of a machine, a reading of a sensor), because a moment is no safe key.',
];

export const ATTRIBUTE_CONVENTIONS: readonly string[] = [
  'Attributes are the facts that the requirement names, in its own words ("contact number" stays Contact Number), each at the one set that it describes. None is left out, none is invented: no timestamps, states, descriptions or ids that the requirement does not speak of.',
  'Where the requirement names facts of a thing, these are all. Only a thing of which it names none, or nothing but general words ("supplier information", "basic information of the reader"), has the few facts that such a thing is kept with everywhere: those that the report gives it, else its name or title and what its functions need; a person or a company also how to reach it.',
  'No attribute is a key of another entity set. Where the requirement lists "customer ID" among the facts of an order, that is the relationship between Customer and Order. A person or thing that a fact names (the operator, the author) is a relationship where it is plainly one of an entity set of the model; where it may be anybody (the payer, the recipient, a contact person), it is an attribute.',
  'A bare "ID", "number" or "code" of a thing has its name before it (`Category ID`); everything else keeps its name (`Name`, not `Customer Name`, where the requirement says "name").',
  'A fact of which the requirement plainly wants several for one thing (up to nine photos, several phone numbers, order lines) is an entity set or a relationship set of its own; a plural word alone ("images", "remarks") is one attribute. Pictures, files and long texts identify nothing: an entity set of them has an id.',
];

export const RELATIONSHIP_CONVENTIONS: readonly string[] = [
  'A relationship set says how entity sets are connected. What happens between them without a number of its own (a student enrols in a course, a user follows a user, a member rates a film) is a relationship set with its facts: when, how many, at which price, with which result.',
  'A relationship set has no id of its own. Its key is made of the keys of its participants; where the same ones can be connected again, a fact of the connection, mostly its time, tells the times apart. So a borrowing that can be repeated is one relationship set with Borrow Time among its attributes.',
  'Cardinality of a participant: `many` where many of it may be connected with one of the other, `one` where at most one may. A department employs many employees, an employee works in one department: Department is `one`, Employee is `many`. Both are `many` where each can have several of the other. Decide each direction by a real scenario.',
  'Facts of a connection belong to the relationship set, not to an entity set: the quantity of a product in an order, the grade of a student in a course.',
  'No relationship set that follows from two others: where an order has a customer and a payment belongs to an order, payment and customer are not connected again. A mere permission ("administrators manage products") is none, unless it shall be known who did it to what.',
  'Where the requirement says what a thing is in a connection (the seller of a product, the head of a department, "attending physician ID"), that word is the role of the participant: Seller, Department Head, Attending Physician. The reference is named after it: Seller ID. Where the requirement names it like the thing itself ("customer ID", "affiliated department ID", "the warehouse it belongs to"), there is no role. An entity set that is connected with itself (a category and its parent, users who follow users) takes part twice, with a role for each.',
];

export const NAME_CONVENTIONS: readonly string[] = [
  'Names are those of the requirement, in its language. Entity sets are singular nouns (`Course`, not `Courses` or `Course Information`); a noun that says nothing by itself (record, detail, data) has the thing it is of before it (`Weather Record`). A relationship set that the requirement itself gives a name (enrolment, purchase record, order detail) has that one; else it is a verb or a verb with its object. All names of sets differ.',
];
