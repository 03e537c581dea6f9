import { AskemaError, shortened } from '@askema/core';
import type { FunctionalDependency } from './functional-dependency.ts';
import { unknownAttribute } from './indexed-scheme.ts';
import { needsQuotes, type ScannedDependency, scanDependency } from './scan-dependency.ts';

/** Of a dependency in a message: so much that one knows which one is meant. */
const MAX_SHOWN = 200;

/**
 * Reads a dependency as people write it: `Student ID, Course ID -> Grade`, also with `→`. Names may hold anything:
 * where `attributes` has `City, State`, the text `City, State -> Zip` has one attribute on the left. Where both
 * readings are known, a comma separates; double quotes say otherwise: `"City, State" -> Zip`, with `""` for a quote.
 * Nothing in front of the arrow (or `∅`) says that the right side is constant.
 *
 * Where names are not known as they stand, but those around an ampersand are, it separates as well: `Student ID &
 * Course ID -> Grade`.
 *
 * Without `attributes` every comma outside of quotes separates, and any name is right.
 *
 * @throws AskemaError `INPUT_INVALID` when there is no arrow or nothing behind it, when a name is empty, doubled, or
 * none of `attributes`; the message has the nearest one.
 */
export function parseDependency(text: string, attributes?: readonly string[] | undefined): FunctionalDependency {
  return createDependencyParser(attributes)(text);
}

/** {@link parseDependency} for many dependencies of one relation: the attributes are looked through once. */
export function createDependencyParser(
  attributes?: readonly string[] | undefined,
): (text: string) => FunctionalDependency {
  const reader = attributes === undefined ? undefined : sideReader(attributes);
  return (text) => {
    const scanned = scanDependency(text);
    const arrows = scanned.separators.flatMap((separator, at) => (separator === 'arrow' ? [at + 1] : []));
    const place = `\`${shortened(text, MAX_SHOWN)}\``;
    if (arrows.length === 0)
      throw new AskemaError('INPUT_INVALID', `${place} is no dependency: it has no arrow. Write it as \`A, B -> C\`.`);
    const { pieces } = scanned;
    if (isBlank(scanned, arrows.at(-1) ?? 0, pieces.length))
      throw new AskemaError(
        'INPUT_INVALID',
        `${place} determines nothing: write attributes behind the arrow, as in \`A, B -> C\`.`,
      );
    const sides =
      readSides(text, scanned, reader) ??
      (reader === undefined ? undefined : readSides(text, scanDependency(text, true), reader));
    if (sides !== undefined) return { left: once(sides.left, place), right: once(sides.right, place) };
    throw unreadable(text, scanned, arrows, attributes ?? [], reader, place);
  };
}

/** Both sides, cut at the first arrow at which both can be read. */
function readSides(
  text: string,
  scanned: ScannedDependency,
  reader: SideReader | undefined,
): FunctionalDependency | undefined {
  for (const [at, separator] of scanned.separators.entries()) {
    if (separator !== 'arrow') continue;
    const left = isBlank(scanned, 0, at + 1) ? [] : readSide(text, scanned, 0, at + 1, reader);
    const right = readSide(text, scanned, at + 1, scanned.pieces.length, reader);
    if (left !== undefined && right !== undefined) return { left, right };
  }
  return undefined;
}

/** What a side is read with: names by their text, and how many pieces a name can be of. */
interface SideReader {
  readonly known: ReadonlyMap<string, string>;
  readonly maxPieces: number;
}

function sideReader(attributes: readonly string[]): SideReader {
  const known = new Map<string, string>();
  for (const attribute of attributes) if (!known.has(attribute.trim())) known.set(attribute.trim(), attribute);
  for (const attribute of attributes) known.set(attribute, attribute);
  return {
    known,
    maxPieces: attributes.reduce((most, attribute) => Math.max(most, scanDependency(attribute, true).pieces.length), 1),
  };
}

/** The names of the pieces `from` to `to`; undefined where they cannot be read. */
function readSide(
  text: string,
  scanned: ScannedDependency,
  from: number,
  to: number,
  reader: SideReader | undefined,
): readonly string[] | undefined {
  const pieces = scanned.pieces.slice(from, to);
  if (reader === undefined) {
    const isPlain = scanned.separators.slice(from, to - 1).every((separator) => separator === 'comma');
    return isPlain && pieces.every((piece) => piece.text.trim() !== '') ? pieces.map((piece) => piece.text) : undefined;
  }
  // From the end: where the rest can be read, the shortest name that leads there.
  const nextOf: (number | undefined)[] = Array(pieces.length + 1).fill(undefined);
  nextOf[pieces.length] = pieces.length;
  for (let at = pieces.length - 1; at >= 0; at -= 1) {
    const last = Math.min(pieces.length, at + reader.maxPieces);
    for (let end = at + 1; end <= last && nextOf[at] === undefined; end += 1) {
      // An arrow may stand within a name, never between two of one side.
      const ends = end === pieces.length || scanned.separators[from + end - 1] !== 'arrow';
      if (ends && nextOf[end] !== undefined && nameOf(text, pieces.slice(at, end), reader) !== undefined)
        nextOf[at] = end;
    }
  }
  if (nextOf[0] === undefined) return undefined;
  const names: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const end = nextOf[at] ?? pieces.length;
    names.push(nameOf(text, pieces.slice(at, end), reader) ?? '');
    at = end;
  }
  return names;
}

/** The attribute that these pieces write together. */
function nameOf(text: string, pieces: ScannedDependency['pieces'], { known }: SideReader): string | undefined {
  const [first] = pieces;
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (pieces.length === 1) return known.get(first.text);
  return known.get(text.slice(first.start, last.end));
}

function unreadable(
  text: string,
  scanned: ScannedDependency,
  arrows: readonly number[],
  attributes: readonly string[],
  reader: SideReader | undefined,
  place: string,
): AskemaError {
  const { pieces } = scanned;
  const isLeftBlank = isBlank(scanned, 0, arrows[0] ?? 0);
  const unknown = pieces
    .slice(isLeftBlank ? 1 : 0)
    .find((piece) => piece.text.trim() === '' || (reader !== undefined && nameOf(text, [piece], reader) === undefined));
  if (unknown === undefined) {
    return new AskemaError(
      'INPUT_INVALID',
      `${place} has more than one arrow; write each dependency on its own, and names that contain an arrow in double quotes.`,
    );
  }
  return unknownAttribute(unknown.text, attributes, place);
}

function isBlank({ pieces }: ScannedDependency, from: number, to: number): boolean {
  const [first] = pieces.slice(from, to);
  return to - from === 1 && first?.quoted === false && (first.text === '' || first.text === '∅');
}

function once(names: readonly string[], place: string): readonly string[] {
  const doubled = names.find((name, at) => names.indexOf(name) !== at);
  if (doubled === undefined) return names;
  throw new AskemaError(
    'INPUT_INVALID',
    `The attribute \`${doubled}\` occurs twice on one side of ${place}; leave one out.`,
  );
}

/**
 * The dependency as `parseDependency` reads it, with or without knowing the attributes: `Student ID, Course ID ->
 * Grade`. Names with a comma, an arrow or a quote in front stand in double quotes; an empty left side is `∅`.
 */
export function dependencyText({ left, right }: FunctionalDependency): string {
  return `${left.length === 0 ? '∅' : attributesText(left)} -> ${attributesText(right)}`;
}

/** The attributes as one side of a dependency. */
export function attributesText(attributes: readonly string[]): string {
  return attributes.map((name) => (needsQuotes(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(', ');
}
