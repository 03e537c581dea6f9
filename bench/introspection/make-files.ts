/**
 * Makes the SQLite files in a thread: SQLite reads its whole schema at each CREATE TABLE, so that 10,000 tables take a
 * while.
 */
import { workerData } from 'node:worker_threads';
import { sqliteFile } from './sqlite-contenders.ts';

for (const tables of workerData as readonly number[]) await sqliteFile(tables);
