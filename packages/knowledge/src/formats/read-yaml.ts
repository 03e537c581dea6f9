import { AskemaError } from '@askema/core';
import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  mergeTag,
  parseEvents,
  YAMLException,
} from 'js-yaml';

/** Keys and places in lists that lead to a value. */
export type Path = readonly (string | number)[];

/** A YAML or JSON file as plain data. */
export interface YamlFile {
  readonly value: unknown;
  /** The line, 1-based, on which the value at `path` stands; of its nearest parent where it is not there. */
  lineOf(path: Path): number;
}

/** Longer files are not read. A model of 500 metrics has some 300 KB. */
const MAX_CHARACTERS = 20_000_000;
const LIMITS = { maxDepth: 100, maxAliases: 10_000, maxTotalMergeKeys: 10_000 };
/** Aliases of aliases of aliases stand for more values than a memory holds. */
const MAX_VALUES = 2_000_000;
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

/**
 * Reads YAML 1.2, of which JSON is a part. Tags of other types are refused; keys that stand twice are, too.
 *
 * @throws AskemaError `KNOWLEDGE_INVALID` with the file and the line.
 */
export function readYaml(text: string, file: string): YamlFile {
  if (text.length > MAX_CHARACTERS)
    throw invalid(file, 1, `it has ${text.length} characters; files up to ${MAX_CHARACTERS} are read. Split it`);
  try {
    const events = parseEvents(text, LIMITS);
    const [value = null, ...others] = constructFromEvents(events, { source: text, schema: SCHEMA, ...LIMITS });
    if (others.length > 0) throw invalid(file, 1, 'it holds several documents; put each into a file of its own');
    if (events.some(({ type }) => type === EVENT_ID.ALIAS) && countValues(value, new Map()) > MAX_VALUES)
      throw invalid(file, 1, `its aliases (\`*name\`) stand for more than ${MAX_VALUES} values, or for themselves`);
    let tree: Spot | undefined;
    let lineStarts: readonly number[] | undefined;
    return {
      value,
      lineOf(path) {
        tree ??= new SpotReader(text, events).next() ?? 0;
        lineStarts ??= startsOfLines(text);
        let spot = tree;
        for (const part of path) {
          const below = spotBelow(spot, part);
          if (below === undefined) break;
          spot = below;
        }
        return lineAt(startOf(spot), lineStarts);
      },
    };
  } catch (thrown) {
    if (thrown instanceof AskemaError) throw thrown;
    if (thrown instanceof YAMLException) throw invalid(file, (thrown.mark?.line ?? 0) + 1, thrown.reason);
    throw invalid(file, 1, thrown instanceof RangeError ? 'it nests too deep' : String(thrown));
  }
}

/** How many values there would be if each alias were written out; infinite for one within itself. */
function countValues(value: unknown, counted: Map<object, number>): number {
  if (typeof value !== 'object' || value === null) return 1;
  const known = counted.get(value);
  if (known !== undefined) return known;
  counted.set(value, Number.POSITIVE_INFINITY);
  let count = 1;
  for (const each of Object.values(value)) count += countValues(each, counted);
  counted.set(value, count);
  return count;
}

/** Where a value begins, and those in it by key or number; a number alone of what holds none. */
type Spot = number | { readonly start: number; readonly keys: ReadonlyMap<string, Spot> | readonly Spot[] };

const startOf = (spot: Spot): number => (typeof spot === 'number' ? spot : spot.start);

function spotBelow(spot: Spot, part: string | number): Spot | undefined {
  if (typeof spot === 'number') return undefined;
  const { keys } = spot;
  return keys instanceof Map ? keys.get(String(part)) : (keys as readonly Spot[])[Number(part)];
}

class SpotReader {
  readonly #text: string;
  readonly #events: readonly Event[];
  /** Behind the event that opens the document. */
  #at = 1;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  /** The value that comes next, or undefined at the end of what holds it. */
  next(): Spot | undefined {
    const event = this.#events[this.#at];
    this.#at += 1;
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return event.valueStart;
      case EVENT_ID.ALIAS:
        return event.anchorStart;
      case EVENT_ID.SEQUENCE: {
        const items: Spot[] = [];
        for (let spot = this.next(); spot !== undefined; spot = this.next()) items.push(spot);
        return { start: event.start, keys: items };
      }
      case EVENT_ID.MAPPING:
        return { start: event.start, keys: this.#pairs() };
      default:
        return undefined;
    }
  }

  #pairs(): ReadonlyMap<string, Spot> {
    const pairs = new Map<string, Spot>();
    for (;;) {
      const key = this.#events[this.#at];
      const spot = this.next();
      const value = spot === undefined ? undefined : this.next();
      if (spot === undefined || value === undefined) return pairs;
      // What a key leaves empty stands where the key does.
      if (key?.type === EVENT_ID.SCALAR)
        pairs.set(getScalarValue(this.#text, key), startOf(value) > startOf(spot) ? value : startOf(spot));
    }
  }
}

function startsOfLines(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(offset: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function invalid(file: string, line: number, reason: string): AskemaError {
  return new AskemaError('KNOWLEDGE_INVALID', `${file}:${line} cannot be read: ${reason}.`, {
    details: { file, line },
  });
}
