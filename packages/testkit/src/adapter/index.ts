export {
  type AdapterFixture,
  type FixtureColumn,
  type FixtureForeignKey,
  type FixtureName,
  type FixtureTable,
  fixtureCatalog,
  type NestedKind,
} from './fixture/adapter-fixture.ts';
export { adapterFixture } from './fixture/fixtures.ts';
export type { HostileName, UnusableNames } from './fixture/names.ts';
export type { HostileGroup, HostileStatement, HostileStatementOptions } from './hostile/hostile-statement.ts';
export { hostileStatements } from './hostile/hostile-statements.ts';
export * from './suite/index.ts';
