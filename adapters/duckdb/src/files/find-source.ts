import { stat } from 'node:fs/promises';
import { directoryProblem, emptyFile, missingPath, notReadable, wrongKind } from '../errors/file-problem.ts';
import type { ResolvedOptions } from '../options.ts';
import type { EngineSource } from '../protocol.ts';
import { planFiles } from './plan-files.ts';
import { sniffFile } from './sniff-file.ts';

/** Looks at what shall be opened, so that a mistake in a path is told before anything is started. Rejects with `DATABASE_*`. */
export async function findSource({ place }: Pick<ResolvedOptions, 'place'>): Promise<EngineSource> {
  if (place.type === 'files') return { type: 'files', relations: await planFiles(place.paths) };
  const { file } = place;
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) throw await missingPath(file, found);
  if (found.isDirectory()) throw await directoryProblem(file);
  const content = await sniffFile(file).catch((thrown: unknown) => {
    throw notReadable(file, thrown);
  });
  if (content === 'empty') throw emptyFile(file);
  if (content !== 'duckdb') throw wrongKind(file, content);
  return { type: 'database', file };
}
