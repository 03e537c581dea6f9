import type { AttributeId, Catalog, RelationId, SchemaIndex } from '@askema/core';
import { DISPLAY_NAMES, expandAbbreviations, RELATION_NOISE, SAME_AS_RELATION } from '../lexicon/name-words.ts';
import { synonymsOf } from '../lexicon/synonyms.ts';
import { lemma } from '../tokenise/lemma.ts';
import { nameWords } from './vocabulary.ts';

/**
 * The attributes by which people know a row of this relation: `name`, `title`, an attribute named like the relation,
 * or first and last name together. Undefined when there is none, or several that are equally good.
 */
export function displayAttributes(
  relation: RelationId,
  catalog: Catalog,
  index: SchemaIndex,
): readonly AttributeId[] | undefined {
  const attributes = index.attributesOf(relation).map((attribute) => ({
    id: attribute.id,
    words: expandAbbreviations(nameWords(attribute.name)).map(lemma),
    text: attribute.type === 'TEXT',
  }));
  const own = expandAbbreviations(nameWords(index.relation(relation)?.name ?? '')).map(lemma);
  const tail = own.slice(-1);
  for (const display of DISPLAY_NAMES) {
    if (display === SAME_AS_RELATION) {
      const same = attributes.find(({ text, words }) => text && [own.join(''), tail.join('')].includes(words.join('')));
      if (same !== undefined) return [same.id];
      continue;
    }
    const words = display.split(' ').map(lemma);
    for (const prefix of [[], own, tail]) {
      const wanted = [...prefix, ...words].join('');
      const found = attributes.find((attribute) => attribute.text && attribute.words.join('') === wanted);
      if (found !== undefined) return (display === 'company' ? personName(attributes) : undefined) ?? [found.id];
    }
  }
  return personName(attributes) ?? onlyName(attributes, own, catalog);
}

interface Candidate {
  readonly id: AttributeId;
  readonly words: readonly string[];
  readonly text: boolean;
}

function personName(attributes: readonly Candidate[]): readonly AttributeId[] | undefined {
  const ending = (endings: readonly string[]): Candidate | undefined =>
    attributes.find(({ words }) => endings.some((wanted) => words.join('').endsWith(wanted)));
  const first = ending(['firstname', 'fname', 'forename', 'givenname']);
  const last = ending(['lastname', 'lname', 'surname', 'familyname']);
  return first !== undefined && last !== undefined ? [first.id, last.id] : undefined;
}

/** The name of a customer is not that of an order. */
function isOther(word: string, own: readonly string[]): boolean {
  const kind = own.filter((part) => !RELATION_NOISE.has(part)).slice(-1);
  return OTHERS.has(word) && !kind.some((mine) => mine === word || synonymsOf(mine).includes(word));
}

const OTHERS: ReadonlySet<string> = new Set(
  'customer client user employee person contact supplier vendor product item seller buyer owner author driver doctor patient student teacher manager member guest rep city country region category'
    .split(' ')
    .map(lemma),
);

/** The one text attribute that ends in "name" or "title". */
function onlyName(
  attributes: readonly Candidate[],
  own: readonly string[],
  catalog: Catalog,
): readonly AttributeId[] | undefined {
  const named = attributes.filter(
    ({ words, text, id }) =>
      text &&
      !words.slice(0, -1).some((word) => isOther(word, own)) &&
      ['name', 'title'].includes(words[words.length - 1] ?? '') &&
      catalog.attributes[id]?.nestedFields === undefined,
  );
  const [only, second] = named;
  return only !== undefined && second === undefined ? [only.id] : undefined;
}
