import { type DesignFindingCode, type FindingReporter, rowsFor } from '../finding-table.ts';

const { error, warning } = rowsFor('conceptual-designer');

/**
 * What `checkConceptualModel` can find. It contains the rules of the reviewer's pseudocode that need no judgement
 * (SchemaAgent, Listing 3: no redundant ids in relationship sets, valid cardinalities, entity sets that exist).
 */
export const CONCEPTUAL_CODES = {
  'model-empty': error('The model has no entity set.'),
  'name-empty': error('A set, an attribute or a participant has no name.'),
  'entity-name-duplicate': error('Two entity sets have one name; case, blanks and plural do not count.'),
  'relationship-name-duplicate': error('Two relationship sets have one name.'),
  'relationship-named-as-entity': error('A relationship set has the name of an entity set.'),
  'attribute-name-duplicate': error('A set names an attribute twice.'),
  'entity-without-attributes': error('An entity set has no attributes.'),
  'relationship-too-few-participants': error('A relationship set connects fewer than two participants.'),
  'participant-unknown': error('A participant is no entity set of the model.'),
  'participant-without-role': error(
    'An entity set takes part twice in one relationship set, and the roles do not tell which is which.',
  ),
  'cardinality-invalid': error('A cardinality is neither `one` nor `many`.'),
  'relationship-has-id': error('A relationship set has an id of its own.'),
  'relationship-has-participant-key': error(
    'An attribute of a relationship set is the key of one of its participants.',
  ),
  'relationship-has-entity-key': error(
    'An attribute of a relationship set is the key of an entity set that does not take part.',
  ),
  'relationship-has-doubtful-id': warning(
    'An attribute of a relationship set reads like an id of something that is no entity set.',
  ),
  'entity-has-foreign-key': error(
    'An attribute of an entity set is the key of another one that it is connected with: the relationship set says it already.',
  ),
  'entity-has-unrelated-key': error(
    'An attribute of an entity set is the key of another one that it is not connected with: a relationship set is missing.',
  ),
  'entity-has-doubtful-id': warning(
    'An attribute of an entity set reads like an id of something that is no entity set.',
  ),
  'attribute-of-other-entity': warning(
    'An attribute bears the name of another entity set, which has the same fact: it would be stored twice.',
  ),
  'attribute-on-both-sides': warning('An attribute stands in a relationship set and in one of its participants.'),
  'relationship-duplicate': warning('Two relationship sets connect the same participants in the same roles.'),
  'relationship-of-separate-facts': warning(
    'A relationship set connects three or more, each with many, and says nothing of all of them at once.',
  ),
  'entity-isolated': warning('An entity set is in no relationship set.'),
  'relationship-missing': error('An entity set is in no relationship set, and the report says that it is connected.'),
  'report-subject-lost': warning('A subject of the report has no place in the model.'),
  'report-attribute-lost': warning('An attribute of a subject of the report has no place in the model.'),
} as const satisfies Readonly<Record<string, DesignFindingCode>>;

/** A code of {@link CONCEPTUAL_CODES}. */
export type ConceptualCode = keyof typeof CONCEPTUAL_CODES;

export type ConceptualReporter = FindingReporter<ConceptualCode>;
