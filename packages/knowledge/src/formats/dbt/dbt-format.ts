import type { KnowledgeFormat } from '../conversion.ts';
import { exportDbt } from './export/export-dbt.ts';
import { importDbt } from './import/import-dbt.ts';

export const dbtFormat: KnowledgeFormat = {
  name: 'dbt',
  wrote: (_, keys) => keys.has('semantic_models') || keys.has('metrics') || keys.has('models'),
  read: (files, { database, schema }) => importDbt(files, { database, schema }),
  write: exportDbt,
};
