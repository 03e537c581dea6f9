import type { OrmTraits } from '../orm-traits.ts';
import { sqliteDialect } from './sqlite.ts';

/** SQLite in Prisma's and Drizzle's words. Sources: https://orm.drizzle.team/docs/column-types/sqlite. */
export const sqliteOrm: OrmTraits = {
  name: 'sqlite',
  dialect: sqliteDialect,
  prisma: {},
  drizzle: {
    module: 'drizzle-orm/sqlite-core',
    table: 'sqliteTable',
    extraConfig: 'SQLiteTableExtraConfigValue',
    columns: {
      NUMERIC: ['numeric'],
      TEXT: ['text'],
      DATETIME: ['text'],
      BLOB: ['blob', "{ mode: 'buffer' }"],
      BOOLEAN: ['integer', "{ mode: 'boolean' }"],
    },
    imports: ['numeric', 'text', 'blob', 'integer'],
  },
};
