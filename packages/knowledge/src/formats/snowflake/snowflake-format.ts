import type { KnowledgeFormat } from '../conversion.ts';
import { exportSnowflake } from './export-snowflake.ts';
import { importSnowflake } from './import-snowflake.ts';

export const snowflakeFormat: KnowledgeFormat = {
  name: 'snowflake',
  wrote: (_, keys) => keys.has('tables'),
  read: (files) => importSnowflake(files.filter(({ path }) => !/\.(md|sql)$/i.test(path))),
  write: exportSnowflake,
};
