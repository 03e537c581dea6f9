import { realpath } from 'node:fs/promises';
import { fileStamp } from '@askema/adapter-kit';
import type { CatalogStamps } from '@askema/core';
import { findSource, LOGS } from './files/find-source.ts';
import type { ResolvedOptions } from './options.ts';

/**
 * Everything is as it was while no file was written to and none has come: of a database the file and its logs, of data files
 * all that are found. DuckDB itself has no cheaper question, and the types of the columns of a data file depend on what is
 * in it.
 */
export function createStamps({ place }: ResolvedOptions): CatalogStamps {
  const paths = place.type === 'database' ? [place.file] : place.paths;
  const stamp = async (): Promise<string | undefined> => {
    try {
      const source = await findSource({ place });
      if (source.type === 'files') return await fileStamp(source.relations.flatMap(({ files }) => files));
      return await fileStamp(['', ...LOGS].map((suffix) => `${source.file}${suffix}`));
    } catch {
      // What is wrong with the files is told when they are opened.
      return undefined;
    }
  };
  return {
    identity: async () =>
      JSON.stringify([place.type, ...(await Promise.all(paths.map((path) => realpath(path).catch(() => path))))]),
    structure: stamp,
    data: stamp,
  };
}
