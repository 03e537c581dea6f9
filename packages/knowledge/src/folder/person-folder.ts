import { AskemaError } from '@askema/core';
import { PERSONAL } from '../model/standing.ts';
import { unseenIn } from '../words/unseen.ts';

/** Escapes make a byte three characters, and file systems take names up to 255 bytes. */
const MAX_BYTES = 80;
/** Of these, no file system takes two for one. A dot is none of them: no name leads up, or is hidden. */
const KEPT = /[a-z0-9_-]/;
/**
 * The folder of what one person proposes: the bytes of the name in UTF-8, all but lower-case letters, digits, `_` and
 * `-` as `%` and two lower-case hexadecimal digits. So each name has a folder of its own, also where a file system takes
 * upper and lower case or two forms of Unicode for one.
 *
 * @throws AskemaError `INPUT_INVALID` for a name that is empty, above 80 bytes, or looks like another: with characters
 *   that nobody sees, blanks at its ends, or letters that are put together otherwise than Unicode's form C does.
 */
export function personFolder(name: string): string {
  const bytes = Buffer.from(name, 'utf8');
  const isPlain = name === name.trim().normalize('NFC') && unseenIn(name) === '';
  if (name === '' || bytes.length > MAX_BYTES || !isPlain)
    throw new AskemaError(
      'INPUT_INVALID',
      `${JSON.stringify(name.slice(0, MAX_BYTES))} is no name of a person: 1 to ${MAX_BYTES} bytes, without line breaks, invisible characters and blanks at its ends, in the form NFC of Unicode.`,
    );
  const encoded = [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    return KEPT.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  });
  return `${PERSONAL}/${encoded.join('')}`;
}

/** Whose folder it is, by its name alone; undefined for one that {@link personFolder} does not make. */
export function personOf(folder: string): string | undefined {
  try {
    const name = decodeURIComponent(folder);
    return personFolder(name) === `${PERSONAL}/${folder}` ? name : undefined;
  } catch {
    return undefined;
  }
}
