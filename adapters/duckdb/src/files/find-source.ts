import { stat } from 'node:fs/promises';
import { directoryProblem, emptyFile, missingPath } from '../errors/file-problem.ts';
import type { ResolvedOptions } from '../options.ts';
import type { EngineSource } from '../protocol.ts';
import { planFiles } from './plan-files.ts';

/**
 * Looks at what shall be opened, so that a mistake in a path is told before anything is started. Rejects with `DATABASE_*`. A database is not read
 * here: closing it would free the locks that another part of this process may hold on it (fcntl(2)).
 */
export async function findSource({ place }: Pick<ResolvedOptions, 'place'>): Promise<EngineSource> {
  if (place.type === 'files') return { type: 'files', relations: await planFiles(place.paths) };
  const { file } = place;
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) throw await missingPath(file, found);
  if (found.isDirectory()) throw await directoryProblem(file);
  if (found.size === 0) throw emptyFile(file);
  return { type: 'database', file };
}
