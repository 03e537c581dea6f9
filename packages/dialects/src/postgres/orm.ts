import type { OrmTraits } from '../orm-traits.ts';
import { postgresDialect } from './postgres.ts';

/**
 * PostgreSQL in Prisma's and Drizzle's words. Sources: https://orm.drizzle.team/docs/column-types/pg; Prisma alone
 * takes milliseconds and DECIMAL(65,30).
 */
export const postgresOrm: OrmTraits = {
  name: 'postgresql',
  dialect: postgresDialect,
  prisma: { NUMERIC: '@db.Decimal', TIMESTAMP: '@db.Timestamp(6)' },
  drizzle: {
    module: 'drizzle-orm/pg-core',
    table: 'pgTable',
    extraConfig: 'PgTableExtraConfigValue',
    columns: {
      NUMERIC: ['numeric'],
      TEXT: ['text'],
      TIMESTAMP: ['timestamp'],
      BYTEA: ['bytea'],
      BOOLEAN: ['boolean'],
    },
    bytes: 'bytea',
    imports: ['numeric', 'text', 'timestamp', 'bytea', 'boolean'],
  },
};
