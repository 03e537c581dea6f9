import { didYouMean } from '@askema/core';
import type { KnowledgeProblem } from '../../model/knowledge.ts';
import type { Place } from '../../model/standing.ts';
import { isObject, type PlainObject } from '../plain-object.ts';
import type { Path, YamlFile } from '../read-yaml.ts';
import type { Release } from './releases.ts';

/** A value of the file, and whose it is. */
export interface Spot {
  readonly value: unknown;
  readonly path: Path;
  /** For messages: `metric revenue`. */
  readonly what: string;
  /** The id of the entry that it belongs to. */
  readonly entry: string | undefined;
}

/** Finding the line of a key takes longer the more keys stand before it; nobody mends more at a time. */
const MAX_LINES = 500;

/**
 * A file of Ossie as it is read: takes values out of it and notes each deviation. An error says that its entry cannot be
 * used; a value of the wrong type is left out with a warning, and whoever cannot do without it says so.
 */
export class Reading {
  readonly problems: KnowledgeProblem[] = [];
  readonly file: string;
  readonly release: Release;
  readonly #yaml: YamlFile;

  constructor(file: string, yaml: YamlFile, release: Release) {
    this.file = file;
    this.#yaml = yaml;
    this.release = release;
  }

  /** Of an entry. The line is left out where finding it would mean to read the file anew. */
  place(spot: Spot): Place {
    return { file: this.file, line: this.#yaml.lineOf(spot.path) };
  }

  error(code: string, spot: Spot, message: string, advice?: string): void {
    this.#report('error', code, spot, message, advice);
  }

  warn(code: string, spot: Spot, message: string, advice?: string): void {
    this.#report('warning', code, spot, message, advice);
  }

  /** What stands below `key`, of the same entry. */
  below(spot: Spot, key: string | number): Spot {
    const value =
      typeof key === 'number'
        ? (spot.value as readonly unknown[])[key]
        : (spot.value as PlainObject | undefined)?.[key];
    return { ...spot, value, path: [...spot.path, key] };
  }

  /** An object of these keys; others are noted. Undefined where it is none. */
  object(spot: Spot, keys: readonly string[]): PlainObject | undefined {
    const { value } = spot;
    if (!isObject(value)) {
      this.warn('wrong-type', spot, `${spot.what} is ${kindOf(value)} and has to be an object.`);
      return undefined;
    }
    for (const key of Object.keys(value))
      if (!keys.includes(key))
        this.warn(
          'unknown-key',
          this.below(spot, key),
          `${spot.what} has the key \`${key}\`, which is not read. ${didYouMean(key, keys)}`.trimEnd(),
        );
    return value;
  }

  /** A text; numbers and truth values become one, with a warning. */
  text(spot: Spot): string | undefined {
    const { value } = spot;
    if (typeof value === 'string') return value;
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' || typeof value === 'boolean') {
      this.warn('wrong-type', spot, `${wordsOf(spot)} is ${kindOf(value)}, read as the text "${value}".`, 'Quote it.');
      return String(value);
    }
    this.warn('wrong-type', spot, `${wordsOf(spot)} is ${kindOf(value)} and has to be a text.`);
    return undefined;
  }

  /** Items of a list; none where there is no list. */
  list(spot: Spot): readonly Spot[] {
    const { value } = spot;
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((_, at) => this.below(spot, at));
    this.warn('wrong-type', spot, `${wordsOf(spot)} is ${kindOf(value)} and has to be a list.`);
    return [];
  }

  /** A list of texts; one text alone is a list of it, with a warning. */
  texts(spot: Spot): readonly string[] {
    if (typeof spot.value === 'string') {
      this.warn('wrong-type', spot, `${wordsOf(spot)} is a text, read as a list of it.`, 'Put it in brackets.');
      return [spot.value];
    }
    return this.list(spot).flatMap((item) => this.text(item) ?? []);
  }

  #report(
    severity: KnowledgeProblem['severity'],
    code: string,
    spot: Spot,
    message: string,
    advice: string | undefined,
  ): void {
    this.problems.push({
      severity,
      code,
      entry: spot.entry,
      place: { file: this.file, line: this.problems.length < MAX_LINES ? this.#yaml.lineOf(spot.path) : undefined },
      message,
      advice,
    });
  }
}

/** The value of a spot in words: `primary_key of dataset orders`. */
function wordsOf({ path, what }: Spot): string {
  const key = path.findLast((part) => typeof part === 'string');
  return key === undefined ? what : `\`${key}\` of ${what}`;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
