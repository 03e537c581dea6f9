import type { Knowledge } from '../../model/knowledge.ts';
import type { Exported, KnowledgeFormat } from '../conversion.ts';
import { readOssie } from './read-ossie.ts';
import { writeOssie } from './write-ossie.ts';

export const ossieFormat: KnowledgeFormat = {
  name: 'ossie',
  wrote: (_, keys) => keys.has('version') && (keys.has('semantic_model') || keys.has('datasets')),
  read(files, { model }) {
    const read = files
      .filter(({ path }) => !/\.(md|sql)$/i.test(path))
      .map(({ path, text }) =>
        readOssie(text, path, 'ossie', { state: 'proposed', ...(model !== undefined && { model }) }),
      );
    const models = read.flatMap((one) => one.models);
    const knowledge = { models, settings: {}, texts: [], verifiedQueries: [] };
    return { knowledge, lost: [], problems: read.flatMap((one) => one.problems) };
  },
  write: (knowledge) => written(knowledge, 'flat'),
};

/** The release that dbt, Snowflake and Salesforce read. */
export const ossie011Format: KnowledgeFormat = {
  name: 'ossie-0.1.1',
  write: (knowledge) => written(knowledge, '0.1.1'),
};

function written({ models, verifiedQueries, texts }: Knowledge, version: 'flat' | '0.1.1'): Exported {
  const files = models.map((model) => writeOssie(model, { version }));
  const prose = [
    ...verifiedQueries.map(({ id, standing }) => ({ what: `query ${id}`, place: standing.place })),
    ...texts.map(({ kind, id, standing }) => ({ what: `${kind} ${id}`, place: standing.place })),
  ].map((one) => ({ ...one, reason: 'Ossie has no place for it; its file can be copied' }));
  return { files: files.flatMap((one) => one.files), lost: [...files.flatMap(({ lost }) => lost), ...prose] };
}
