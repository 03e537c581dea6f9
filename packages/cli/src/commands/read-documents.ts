import { basename } from 'node:path';
import { readTextFile } from './read-text-file.ts';

/** A document as `createText2Sql` takes it. */
export interface NamedDocument {
  readonly name: string;
  readonly text: string;
}

/**
 * The files of `--document`, each named after its file.
 *
 * @throws AskemaError `INPUT_INVALID` for a file that is not there, is too big, or holds no text.
 */
export async function readDocuments(files: readonly string[], cwd: string): Promise<readonly NamedDocument[]> {
  const documents: NamedDocument[] = [];
  for (const file of files)
    documents.push({ name: basename(file), text: await readTextFile(file, cwd, `--document ${file}`) });
  return documents;
}
