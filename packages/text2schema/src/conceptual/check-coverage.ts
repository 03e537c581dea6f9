import type { ConceptualModel, ReportSubject, RequirementReport } from '../model/index.ts';
import type { ConceptualReporter } from './conceptual-codes.ts';
import { foldedName, quoted, wordForm } from './name-lookup.ts';

/** What the model lost of the report: subjects and their attributes, by name. */
export function checkCoverage(model: ConceptualModel, report: RequirementReport, add: ConceptualReporter): void {
  const known = knownNames(model);
  for (const subject of report.subjects) {
    const attributes = subject.attributes.filter((attribute) => attribute.trim() !== '');
    const own = attributesOf(model, subject);
    const lost = attributes.filter((attribute) => !holds(known, attribute, subject) && !isTail(attribute, own));
    const there = known.has(foldedName(subject.name)) || known.has(wordForm(subject.name, 'sorted'));
    // A subject may be called otherwise in the model; then its attributes are there.
    if (!there && (attributes.length === 0 || lost.length > attributes.length / 2)) {
      add(
        'report-subject-lost',
        subject.name,
        `The report has the subject ${quoted(subject.name)}, the model does not.`,
        'Add it as an entity set or, where it is the connection of others, as a relationship set with its attributes; under another name, see that none of its attributes is lost.',
      );
      continue;
    }
    for (const attribute of lost)
      add(
        'report-attribute-lost',
        subject.name,
        `The report has ${quoted(attribute)} of ${quoted(subject.name)}, the model does not.`,
        'Add it to the set that it describes; leave it out only where it follows from others or is a relationship set.',
      );
  }
}

/**
 * Every name of the model, folded and by its words: sets, roles, attributes, and attributes with the name of their set
 * before them.
 */
function knownNames(model: ConceptualModel): ReadonlySet<string> {
  const known = new Set<string>();
  const add = (name: string): void => {
    known.add(foldedName(name));
    known.add(wordForm(name, 'sorted'));
  };
  for (const { name, attributes } of [...model.entitySets, ...model.relationshipSets]) {
    add(name);
    for (const attribute of attributes) {
      add(attribute);
      add(`${name} ${attribute}`);
    }
  }
  for (const { participants } of model.relationshipSets)
    for (const { entity, role } of participants) {
      if (role === undefined || role.trim() === '') continue;
      add(role);
      const attributes = model.entitySets.find(({ name }) => foldedName(name) === foldedName(entity))?.attributes ?? [];
      for (const attribute of attributes) add(`${role} ${attribute}`);
    }
  return known;
}

/** The attributes of the sets that are called as the subject is. */
function attributesOf(model: ConceptualModel, { name }: ReportSubject): readonly string[] {
  const isOf = (set: string): boolean =>
    foldedName(set) === foldedName(name) || wordForm(set, 'sorted') === wordForm(name, 'sorted');
  return [...model.entitySets, ...model.relationshipSets].flatMap((set) => (isOf(set.name) ? set.attributes : []));
}

/** A bare word of the report has the word for what happens before it in the model: `Time` and `Purchase Time`. */
function isTail(attribute: string, own: readonly string[]): boolean {
  const tail = ` ${wordForm(attribute)}`;
  return own.some((one) => wordForm(one).endsWith(tail));
}

function holds(known: ReadonlySet<string>, attribute: string, { name }: ReportSubject): boolean {
  const folded = foldedName(attribute);
  const prefix = foldedName(name);
  const bare = folded.startsWith(prefix) ? folded.slice(prefix.length) : '';
  return (
    known.has(folded) ||
    known.has(wordForm(attribute, 'sorted')) ||
    known.has(wordForm(`${name} ${attribute}`, 'sorted')) ||
    (bare !== '' && known.has(bare)) ||
    // The key of a set that is called so: `Supplier ID` where `Supplier` is an entity set without an id of its own
    // name.
    known.has(folded.replace(/(?:id|no|number|code|编号|号)$/u, ''))
  );
}
