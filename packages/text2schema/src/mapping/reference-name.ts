import { isBareName } from '../conceptual/key-name.ts';
import { foldedName } from '../conceptual/name-lookup.ts';
import type { ConceptualModel } from '../model/index.ts';

/** How the names of a model put words together. */
export type NameStyle = 'blanks' | 'underscores' | 'camel';

/** The style that most names of several words have; blanks where there is none. */
export function nameStyleOf(model: ConceptualModel): NameStyle {
  const counts = { blanks: 0, underscores: 0, camel: 0 };
  for (const { name, attributes } of [...model.entitySets, ...model.relationshipSets])
    for (const one of [name, ...attributes]) {
      if (one.includes('_')) counts.underscores += 1;
      else if (/\s/u.test(one.trim())) counts.blanks += 1;
      else if (/\p{Ll}\p{Lu}/u.test(one)) counts.camel += 1;
    }
  if (counts.underscores > counts.blanks && counts.underscores >= counts.camel) return 'underscores';
  return counts.camel > counts.blanks ? 'camel' : 'blanks';
}

/** Puts a word before a name, in its style and case: `manager` before `Employee ID` is `Manager Employee ID`. */
export function prefixed(prefix: string, name: string, style: NameStyle): string {
  const left = prefix.trim();
  if (/\p{Script=Han}$/u.test(left) || /^\p{Script=Han}/u.test(name)) return left + name;
  const own: NameStyle = name.includes('_') ? 'underscores' : /\s/u.test(name) ? 'blanks' : style;
  const upper = /^\p{Lu}/u.test(name);
  const words = left.split(/[\s_]+/u);
  if (own === 'underscores') return [...words.map((word) => (upper ? word : word.toLowerCase())), name].join('_');
  if (own === 'camel') {
    const [head = '', ...rest] = [...words, name];
    return (upper ? capital(head) : small(head)) + rest.map(capital).join('');
  }
  const titled = (word: string, at: number): string => (at > 0 && JOINING.has(word) ? word : capital(word));
  return [...words.map((word, at) => (upper ? titled(word, at) : word)), name].join(' ');
}

/** They stay small within a name: `Person in Charge ID`. */
const JOINING: ReadonlySet<string> = new Set('a an the of in on at for to by with and or'.split(' '));

/** What a foreign key's attribute is called, before collisions are looked at. */
export interface ReferenceNaming {
  /** The referenced key attribute. */
  readonly key: string;
  /** How many attributes the referenced key has. */
  readonly keySize: number;
  readonly entity: string;
  readonly role: string | undefined;
  readonly relationship: string;
}

/**
 * Names for a foreign key's attribute, best first: the referenced key attribute's as it is; with the role before it
 * where there is one, in place of the entity set's name (`Employee ID` in the role `manager` is `Manager ID`) and
 * without words that it shares with the role (`Department ID` in the role `lead department` is `Lead Department ID`);
 * with the entity set's name before it where it is bare (`ID`). The later ones are for collisions.
 */
export function referenceNames(naming: ReferenceNaming, style: NameStyle): readonly string[] {
  const { key, keySize, entity, role, relationship } = naming;
  const names: string[] = [];
  if (role !== undefined) {
    const rest = keySize === 1 ? (afterEntityName(key, entity) ?? afterSharedWords(role, key)) : undefined;
    names.push(rest === '' ? role : prefixed(role, rest ?? key, style));
    names.push(prefixed(role, key, style));
  } else if (isBareName(key)) names.push(prefixed(entity, key, style));
  else names.push(key);
  if (!foldedName(key).startsWith(foldedName(entity))) names.push(prefixed(entity, key, style));
  names.push(prefixed(relationship, key, style), prefixed(relationship, prefixed(role ?? entity, key, style), style));
  return names;
}

/**
 * What is left of a key's name behind the words with which the role ends: `ID` of `Department ID` and
 * `lead department`.
 */
function afterSharedWords(role: string, key: string): string | undefined {
  const words = role.trim().split(/[\s_-]+/u);
  for (let first = 0; first < words.length; first += 1) {
    const rest = afterEntityName(key, words.slice(first).join(' '));
    if (rest !== undefined) return rest;
  }
  return undefined;
}

/** `ID` of `Employee ID` and `Employee`; undefined where the name does not begin with the entity set's. */
function afterEntityName(key: string, entity: string): string | undefined {
  const wanted = foldedName(entity);
  for (let end = 1; end <= key.length; end += 1) {
    if (foldedName(key.slice(0, end)) !== wanted) continue;
    const rest = key.slice(end);
    if (rest === '') return '';
    // `Order` in `Orderly No` is no word of its own.
    if (/^[\s_-]/u.test(rest) || /^\p{Lu}|^\p{Lo}/u.test(rest)) return rest.replace(/^[\s_-]+/u, '');
    return undefined;
  }
  return undefined;
}

function capital(word: string): string {
  return word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

function small(word: string): string {
  return /^\p{Lu}+$/u.test(word) ? word.toLowerCase() : word.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
}
