import { appendFile, mkdir, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AskemaError } from '../errors/askema-error.ts';
import type { Recording, RecordingStore } from '../model/recording.ts';
import { isMissing, withFileSystem } from './with-file-system.ts';

/**
 * Recordings of {@link withRecording} in a file, one JSON object a line: readable, and small differences under version
 * control. The file and its folder are made with the first recording. One process writes at a time. A last line that
 * was never finished is left out.
 *
 * `load` rejects with `RECORDING_MISSING` when there is no file, and with `INPUT_INVALID`, naming file and line, for a
 * line that is no recording of this version.
 */
export function jsonlRecordings(options: { readonly file: string }): RecordingStore {
  const { file } = options;
  let writing: Promise<void> | undefined;
  return {
    async load() {
      const text = await withFileSystem(`read the recordings ${file}`, () => readText(file));
      if (text === undefined)
        throw new AskemaError(
          'RECORDING_MISSING',
          `There is no file ${file}. Record it first: \`withRecording(model, { mode: 'record', … })\`.`,
        );
      return wholeLines(text).map((line, index) => readRecording(line, `${file}, line ${index + 1}`));
    },
    append(recording) {
      // One after another, in the order of the calls; a failure is told to the call that it hit, and the next one tries
      // again.
      const before = writing?.catch(() => prepare(file)) ?? prepare(file);
      const done = before.then(() => appendLine(file, recording));
      writing = done;
      return done;
    },
  };
}

async function appendLine(file: string, recording: Recording): Promise<void> {
  await withFileSystem(`write the recordings ${file}`, () => appendFile(file, `${JSON.stringify(recording)}\n`));
}

/**
 * Makes the folder, and cuts off a last line that was never finished, so that the next one begins on a line of its own.
 */
async function prepare(file: string): Promise<void> {
  await withFileSystem(`write the recordings ${file}`, async () => {
    await mkdir(dirname(file), { recursive: true });
    const text = await readText(file);
    if (text === undefined || text === '' || text.endsWith('\n')) return;
    const whole = wholeLines(text);
    const last = text.slice(text.lastIndexOf('\n') + 1);
    if (whole.at(-1) === last) await appendFile(file, '\n');
    else await truncate(file, Buffer.byteLength(text) - Buffer.byteLength(last));
  });
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The lines, without a last one that has no line break and is no JSON. */
function wholeLines(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last !== '' && isJson(last) ? [...lines, last] : lines;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readRecording(line: string, where: string): Recording {
  const json: unknown = isJson(line) ? JSON.parse(line) : undefined;
  const { schemaVersion, key, request } = (json ?? {}) as Partial<Record<keyof Recording, unknown>>;
  if (schemaVersion === 1 && typeof key === 'string' && typeof request === 'object' && request !== null)
    return json as Recording;
  const why =
    schemaVersion !== undefined && schemaVersion !== 1
      ? `has schemaVersion ${JSON.stringify(schemaVersion)}, and this version reads 1`
      : 'is no recording';
  throw new AskemaError('INPUT_INVALID', `${where} ${why}. Record anew, or restore the file.`);
}
