import type { Dialect } from '@askema/core';
import fc from 'fast-check';
import { bindStar, faultOf, type Run } from '../check-star.ts';
import type { PlainStar } from '../plain-star.ts';
import { starStatements } from '../star-tables.ts';
import { randomRequest } from './random-request.ts';
import { randomStar } from './random-star.ts';

/** An engine that has taken the tables of a star. */
export interface StarDatabase {
  readonly run: Run;
  close(): void | Promise<void>;
}

export interface SampleOptions {
  readonly dialect: Dialect;
  readonly seed: number;
  readonly stars: number;
  readonly requests: number;
  /** Runs the statements in a database of their own. */
  open(statements: readonly string[]): Promise<StarDatabase>;
}

/** What is wrong with the answers to random requests over random stars: the same ones for the same seed. */
export async function faultsOfSample({ dialect, seed, stars, requests, open }: SampleOptions): Promise<string[]> {
  const faults: string[] = [];
  for (const [at, star] of fc.sample(randomStar(), { seed, numRuns: stars }).entries()) {
    const bound = bindStar(star, dialect);
    const database = await open(starStatements(star, dialect));
    try {
      for (const request of fc.sample(randomRequest(star), { seed: seed + at, numRuns: requests })) {
        const fault = await faultOf(bound, request, database.run);
        if (fault !== undefined) faults.push(described(star, at, JSON.stringify(request), fault));
      }
    } finally {
      await database.close();
    }
  }
  return faults;
}

const described = (star: PlainStar, at: number, request: string, fault: string): string =>
  `Star ${at}: ${fault}\n${request}\n${star.metrics.map((metric) => JSON.stringify(metric)).join('\n')}`;
