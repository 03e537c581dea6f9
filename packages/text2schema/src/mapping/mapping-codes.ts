import { type DesignFindingCode, type FindingReporter, rowsFor } from '../finding-table.ts';

const logical = rowsFor('logical-designer');
const conceptual = rowsFor('conceptual-designer');

/** What `mapToRelations` can find in a proposal, and in a model that it shows to be wrong. */
export const MAPPING_CODES = {
  'set-unknown': logical.error('The proposal speaks of a set that the model does not have; it was left out.'),
  'set-left-out': logical.error('The proposal says nothing of a set of the model; its types and its key were guessed.'),
  'set-repeated': logical.warning('The proposal speaks of a set twice; both parts were put together.'),
  'attribute-left-out': logical.warning('The proposal gives an attribute of the model no type; it became TEXT.'),
  'attribute-unknown': logical.warning('The proposal has an attribute that the model does not have; it was left out.'),
  'dependency-unknown-name': logical.error(
    'A dependency or preferred key names what the set does not have; the name, or the dependency where it stands on the left, was dropped.',
  ),
  'dependency-names-many': logical.error(
    'A dependency of an entity set names another one of which there are many to each; it was dropped.',
  ),
  'dependency-without-left': logical.error('A dependency has an empty left side; it was dropped.'),
  'dependencies-missing': logical.error(
    'An entity set has no dependencies, though one of its attributes reads like a key; that one was taken for it.',
  ),
  'attribute-undetermined': logical.warning('Attributes are in no dependency; they were taken to depend on the key.'),
  'preferred-key-no-key': logical.error('The preferred key is no candidate key; another key was taken.'),
  'binary-in-key': conceptual.error(
    'What identifies an entity set is a picture or a file (BINARY), which engines cannot compare or index.',
  ),
  'all-key-needless': logical.warning(
    'All attributes of a relationship set are its key, its own attributes included, which are no times.',
  ),
  decomposed: logical.warning('A set was decomposed, because it was not in third normal form.'),
  'attribute-of-connected-entity': conceptual.warning(
    'Attributes of a set depend on a connected entity set alone; they became a relation beside that one.',
  ),
  'keys-incomplete': logical.warning('The search for candidate keys was cut; there may be more of them.'),
  'dependencies-ignored': logical.error(
    'Dependencies contradict the key by which other relations reference this one; only the key counts.',
  ),
  'foreign-key-split': logical.warning('A foreign key was torn apart by a decomposition; it was left out.'),
  'foreign-key-to-other-key': logical.warning(
    'A part of a decomposition references a key of another part that is not its primary key; the foreign key was left out.',
  ),
  'relation-renamed': conceptual.warning('Two relations would have one name; one was renamed.'),
  'entity-without-key': conceptual.error(
    'The only key of an entity set is all of its attributes, or it has no attributes (SchemaAgent, Listing 4).',
  ),
  'relationship-without-key': conceptual.error('Nothing identifies a relationship set; it became no relation.'),
  'participant-unknown': conceptual.error('A participant is no entity set of the model; it was left out.'),
  'attribute-repeated': conceptual.error('A set names an attribute twice, or without a name; one was left out.'),
  'key-cycle': conceptual.error(
    'Entity sets are identified by each other, in a circle, or one by itself; the circle was cut.',
  ),
  'dependency-against-cardinality': conceptual.warning(
    'A dependency between the participants of a relationship set says something else than its cardinalities.',
  ),
} as const satisfies Readonly<Record<string, DesignFindingCode>>;

/** A code of {@link MAPPING_CODES}. */
export type MappingFindingCode = keyof typeof MAPPING_CODES;

export type MappingReporter = FindingReporter<MappingFindingCode>;
