import type { OrmTraits } from '../orm-traits.ts';
import { mysqlDialect } from './mysql.ts';

/**
 * MySQL in Prisma's and Drizzle's words. Sources: https://orm.drizzle.team/docs/column-types/mysql; Prisma alone takes
 * milliseconds, DECIMAL(65,30) and VARCHAR(191).
 */
export const mysqlOrm: OrmTraits = {
  name: 'mysql',
  dialect: mysqlDialect,
  prisma: {
    'DECIMAL(38, 10)': '@db.Decimal(38, 10)',
    'DATETIME(6)': '@db.DateTime(6)',
    LONGTEXT: '@db.LongText',
    'VARCHAR(255)': '@db.VarChar(255)',
    'VARCHAR(48)': '@db.VarChar(48)',
    LONGBLOB: '@db.LongBlob',
    'VARBINARY(255)': '@db.VarBinary(255)',
    'VARBINARY(192)': '@db.VarBinary(192)',
  },
  drizzle: {
    module: 'drizzle-orm/mysql-core',
    table: 'mysqlTable',
    extraConfig: 'MySqlTableExtraConfigValue',
    columns: {
      'DECIMAL(38, 10)': ['decimal', '{ precision: 38, scale: 10 }'],
      LONGTEXT: ['longtext'],
      'VARCHAR(255)': ['varchar', '{ length: 255 }'],
      'VARCHAR(48)': ['varchar', '{ length: 48 }'],
      'DATETIME(6)': ['datetime', '{ fsp: 6 }'],
      LONGBLOB: ['longblob'],
      'VARBINARY(255)': ['varbinary', '{ length: 255 }'],
      'VARBINARY(192)': ['varbinary', '{ length: 192 }'],
      BOOLEAN: ['boolean'],
    },
    bytes: 'longblob',
    imports: ['decimal', 'longtext', 'varchar', 'datetime', 'longblob', 'varbinary', 'boolean'],
  },
};
