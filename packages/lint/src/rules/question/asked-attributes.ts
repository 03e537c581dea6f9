import type { Attribute, AttributeId, RelationId } from '@askema/core';
import { splitWords } from '@askema/grounding';
import { isKeyPart } from '../../resolve/query-facts.ts';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import {
  COUNT_SUPERLATIVE,
  contentWords,
  haveOneStem,
  ID_CUE,
  ID_NAME_CUE,
  ID_WORDS,
  IMPLIED_WORDS,
  LABEL_WORDS,
  OPAQUE_WORDS,
  PERSON_CUE,
  saysInOrder,
  TIME_CUE,
} from './question-cues.ts';

/** The most characters of a comment that are read. */
const MAX_COMMENT_CHARACTERS = 300;
const MAX_EVIDENCE_CHARACTERS = 4_000;

/** What the words of a question say of the attributes that a statement may use. */
export class AskedAttributes {
  readonly #query: ResolvedQuery;
  readonly #words: readonly string[];
  readonly #definitions: readonly string[];
  readonly #implied: ReadonlySet<string>;
  readonly #asksForIds: boolean;
  readonly #asksForPeople: boolean;
  readonly #asksForTime: boolean;

  constructor(query: ResolvedQuery, question: string) {
    this.#query = query;
    this.#words = splitWords(question);
    this.#definitions = splitWords(query.evidence?.slice(0, MAX_EVIDENCE_CHARACTERS) ?? '');
    const implying = splitWords(question.replaceAll(COUNT_SUPERLATIVE, ' '));
    this.#implied = new Set(implying.flatMap((word) => IMPLIED_WORDS[word] ?? []));
    this.#asksForIds = ID_CUE.test(question) || ID_NAME_CUE.test(question);
    this.#asksForPeople = PERSON_CUE.test(question);
    this.#asksForTime = TIME_CUE.test(question);
  }

  /** The question has all that tells the attribute from others of its relation, or its whole name. */
  isNamed(attribute: Attribute): boolean {
    const telling = this.tellingWords(attribute);
    if (telling.length === 0) return false;
    if (saysInOrder(this.#words, splitWords(attribute.name))) return true;
    return telling.every((word) => this.#says(word, attribute.relation) || this.#implied.has(word));
  }

  /**
   * Nothing in the question is about the attribute: not a word of its name or comment, no adjective, and no wish for
   * ids or names.
   */
  isUnasked(attribute: Attribute, { isAggregated }: { readonly isAggregated: boolean }): boolean {
    const { catalog } = this.#query;
    if (this.#isDefined(attribute) || isOpaque(attribute)) return false;
    if (hasIdName(attribute) || this.#isNumberOfItsOwn(attribute)) return !this.#asksForIds;
    if (this.#asksForTime && isMoment(attribute)) return false;
    const telling = this.tellingWords(attribute);
    if (telling.some((word) => this.#says(word, attribute.relation) || this.#implied.has(word))) return false;
    const comment = catalog.attributes[attribute.id]?.comment?.slice(0, MAX_COMMENT_CHARACTERS) ?? '';
    if (contentWords(comment).some((word) => this.#says(word))) return false;
    if (this.isIdentifier(attribute)) return !this.#asksForIds;
    return !this.isLabel(attribute.name) || isAggregated || !(this.#asksForPeople || this.#isAbout(attribute.relation));
  }

  /** The definitions beside the question name it: "X refers to column Y". */
  #isDefined({ name }: Attribute): boolean {
    const words = splitWords(name);
    return words.length > 0 && saysInOrder(this.#definitions, words);
  }

  /** A key, or a name that says nothing but that it is an id. */
  isIdentifier(attribute: Attribute): boolean {
    return hasIdName(attribute) || this.#isNumberOfItsOwn(attribute) || isKeyPart(this.#query, attribute.id);
  }

  /** `flight_number` of `flight`: what a thing without a name is called by. */
  #isNumberOfItsOwn({ name, relation }: Attribute): boolean {
    const words = splitWords(name);
    const of = splitWords(this.#query.index.relation(relation)?.name ?? '');
    return (
      words.length > 1 &&
      /^(?:number|code)$/.test(words.at(-1) ?? '') &&
      words.slice(0, -1).every((word) => of.includes(word))
    );
  }

  /** The words of a name without those of its relation: of `pets.pet_age` it is `age`. */
  tellingWords({ name, relation }: Attribute): readonly string[] {
    const words = contentWords(name);
    const of = splitWords(this.#query.index.relation(relation)?.name ?? '');
    const telling = words.filter((word) => !of.includes(word));
    return telling.length > 0 ? telling : words;
  }

  /** Attributes of the relations in FROM that the question names, without those given. */
  named(without: ReadonlySet<AttributeId>): readonly Attribute[] {
    const { index, blocks } = this.#query;
    const relations = new Set<RelationId>();
    for (const block of blocks)
      for (const relation of block.relations) if (relation.kind === 'relation') relations.add(relation.id);
    const all = [...relations];
    const taken = [
      ...all.map((id) => splitWords(index.relation(id)?.name ?? '')),
      ...[...without].map((id) => contentWords(index.attribute(id)?.name ?? '')),
    ];
    const isTaken = (attribute: Attribute): boolean => {
      const words = contentWords(attribute.name);
      return taken.some((name) => words.every((word) => name.includes(word)));
    };
    return all
      .flatMap((id) => index.attributesOf(id))
      .filter((attribute) => !without.has(attribute.id) && !isTaken(attribute) && this.isNamed(attribute));
  }

  /** What names the relation names no attribute of it: `users` is no `username`. */
  #says(word: string, relation?: RelationId): boolean {
    const of = relation === undefined ? [] : splitWords(this.#query.index.relation(relation)?.name ?? '');
    return this.#words.some((other) => haveOneStem(word, other) && (word === other || !of.includes(other)));
  }

  /** A name or a title, in short too: `lname`. */
  isLabel(name: string): boolean {
    return contentWords(name).some((word) => LABEL_WORDS.has(word) || word.endsWith('name'));
  }

  /** "the government form name" is another way to say the government form. */
  isCalledName(name: string): boolean {
    const last = splitWords(name).at(-1) ?? '';
    return this.#words.some((word, at) => this.#words[at + 1] === 'name' && haveOneStem(word, last));
  }

  /** The relation has something to show in place of an id. */
  hasLabel(relation: RelationId): boolean {
    return this.#query.index
      .attributesOf(relation)
      .some(({ name }) => splitWords(name).some((word) => LABEL_WORDS.has(word)));
  }

  #isAbout(relation: RelationId): boolean {
    return contentWords(this.#query.index.relation(relation)?.name ?? '').some((word) => this.#says(word));
  }
}

/** `id`, `owner_id`, `StuID`, `petid`. */
function hasIdName({ name }: Pick<Attribute, 'name'>): boolean {
  const last = splitWords(name).at(-1) ?? '';
  return ID_WORDS.has(last) || /^[a-z]{2,5}id$/.test(last) || contentWords(name).length === 0;
}

/** `created_at`, `signedOn`: that something happened then, by whatever verb the question says it. */
function isMoment({ name }: Attribute): boolean {
  return /^(?:at|on)$/.test(splitWords(name).at(-1) ?? '');
}

/** `text`, `value`: the name alone cannot be held against any question. */
function isOpaque({ name }: Attribute): boolean {
  const words = splitWords(name);
  return words.length > 0 && words.every((word) => OPAQUE_WORDS.has(word));
}
