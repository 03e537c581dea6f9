import type { DesignFinding } from '../model/index.ts';

/** A row of the table of codes. */
export interface FindingCode {
  readonly severity: DesignFinding['severity'];
  /** What the code says, in one sentence without names. */
  readonly meaning: string;
}

/**
 * What `checkConceptualModel` can find. It contains the rules of the reviewer's pseudocode that need no judgement (SchemaAgent, Listing 3:
 * no redundant ids in relationship sets, valid cardinalities, entity sets that exist).
 */
export const CONCEPTUAL_CODES = {
  'model-empty': { severity: 'error', meaning: 'The model has no entity set.' },
  'name-empty': { severity: 'error', meaning: 'A set, an attribute or a participant has no name.' },
  'entity-name-duplicate': {
    severity: 'error',
    meaning: 'Two entity sets have one name; case, blanks and plural do not count.',
  },
  'relationship-name-duplicate': { severity: 'error', meaning: 'Two relationship sets have one name.' },
  'relationship-named-as-entity': { severity: 'error', meaning: 'A relationship set has the name of an entity set.' },
  'attribute-name-duplicate': { severity: 'error', meaning: 'A set names an attribute twice.' },
  'entity-without-attributes': { severity: 'error', meaning: 'An entity set has no attributes.' },
  'relationship-too-few-participants': {
    severity: 'error',
    meaning: 'A relationship set connects fewer than two participants.',
  },
  'participant-unknown': { severity: 'error', meaning: 'A participant is no entity set of the model.' },
  'participant-without-role': {
    severity: 'error',
    meaning: 'An entity set takes part twice in one relationship set, and the roles do not tell which is which.',
  },
  'cardinality-invalid': { severity: 'error', meaning: 'A cardinality is neither `one` nor `many`.' },
  'relationship-has-id': { severity: 'error', meaning: 'A relationship set has an id of its own.' },
  'relationship-has-participant-key': {
    severity: 'error',
    meaning: 'An attribute of a relationship set is the key of one of its participants.',
  },
  'relationship-has-entity-key': {
    severity: 'error',
    meaning: 'An attribute of a relationship set is the key of an entity set that does not take part.',
  },
  'relationship-has-doubtful-id': {
    severity: 'warning',
    meaning: 'An attribute of a relationship set reads like an id of something that is no entity set.',
  },
  'entity-has-foreign-key': {
    severity: 'error',
    meaning:
      'An attribute of an entity set is the key of another one that it is connected with: the relationship set says it already.',
  },
  'entity-has-unrelated-key': {
    severity: 'error',
    meaning:
      'An attribute of an entity set is the key of another one that it is not connected with: a relationship set is missing.',
  },
  'entity-has-doubtful-id': {
    severity: 'warning',
    meaning: 'An attribute of an entity set reads like an id of something that is no entity set.',
  },
  'attribute-of-other-entity': {
    severity: 'warning',
    meaning: 'An attribute bears the name of another entity set, which has the same fact: it would be stored twice.',
  },
  'attribute-on-both-sides': {
    severity: 'warning',
    meaning: 'An attribute stands in a relationship set and in one of its participants.',
  },
  'relationship-duplicate': {
    severity: 'warning',
    meaning: 'Two relationship sets connect the same participants in the same roles.',
  },
  'entity-isolated': { severity: 'warning', meaning: 'An entity set is in no relationship set.' },
  'relationship-missing': {
    severity: 'error',
    meaning: 'An entity set is in no relationship set, and the report says that it is connected.',
  },
  'report-subject-lost': { severity: 'warning', meaning: 'A subject of the report has no place in the model.' },
  'report-attribute-lost': {
    severity: 'warning',
    meaning: 'An attribute of a subject of the report has no place in the model.',
  },
} as const satisfies Readonly<Record<string, FindingCode>>;

/** A code of {@link CONCEPTUAL_CODES}. */
export type ConceptualCode = keyof typeof CONCEPTUAL_CODES;

/** Takes a finding: code, subject, what is wrong, what to do. */
export type ConceptualReporter = (code: ConceptualCode, subject: string, message: string, remedy: string) => void;
