import type { LoggedStatement } from '../../../packages/knowledge/src/index.ts';
import { type Chance, chanceOf } from './chance.ts';
import { type Join, METRICS, NAMED, TABLES, type TrueMetric } from './definitions.ts';
import { HABITS } from './habits.ts';
import { NOISE, writeNoise } from './noise.ts';
import { type Written, writeStatement } from './write-statement.ts';

export interface WrittenLog {
  readonly statements: readonly LoggedStatement[];
  /** Of those that are no noise. */
  readonly right: readonly string[];
  readonly metricUses: ReadonlyMap<TrueMetric, number>;
  readonly joinUses: ReadonlyMap<Join, number>;
}

/** A log of `count` statements in the order in which they ran; the same seed gives the same. */
export function writeLog(seed: number, count: number): WrittenLog {
  const chance = chanceOf(seed);
  const byUse = chance.shuffled(METRICS);
  const noise = Math.round(count * NOISE);
  const metricUses = new Map<TrueMetric, number>();
  const joinUses = new Map<Join, number>();
  const right = Array.from({ length: count - noise }, () => {
    const written = one(byUse, chance);
    for (const metric of written.metrics) metricUses.set(metric, (metricUses.get(metric) ?? 0) + 1);
    for (const join of written.joins) joinUses.set(join, (joinUses.get(join) ?? 0) + 1);
    return written;
  });
  const all = chance.shuffled<LoggedStatement>([
    ...right.map(({ sql, user }) => ({ sql, user, application: chance.oneOf(['psql', 'DBeaver', 'jupyter']) })),
    ...writeNoise(noise, () => one(byUse, chance).sql, chance),
  ]);
  const start = Date.parse('2026-01-05T08:00:00Z');
  const statements = all.map((statement, at) => ({
    ...statement,
    at: new Date(start + at * 3_600_000).toISOString(),
  }));
  return { statements, right: right.map(({ sql }) => sql), metricUses, joinUses };
}

function one(byUse: readonly TrueMetric[], chance: Chance): Written & { readonly user: string } {
  const habit = chance.early(HABITS);
  const first = chance.early(byUse);
  const isLook = chance.is(habit.looks);
  const table = isLook ? chance.oneOf(TABLES).name : first.table;
  const others = byUse.filter((metric) => metric !== first && metric.table === first.table);
  const metrics = [first];
  for (const other of chance.shuffled(others).slice(0, 2)) if (chance.is(habit.several)) metrics.push(other);
  const isNamed = chance.is(0.12) && metrics.every(({ part, per }) => part.when === undefined && per === undefined);
  const wanted = { table, metrics: isLook ? [] : metrics, forgets: chance.is(0.07) };
  const named = isNamed || (isLook && chance.is(0.3)) ? NAMED[table] : undefined;
  return { ...writeStatement({ ...wanted, named }, habit, chance), user: habit.user };
}
