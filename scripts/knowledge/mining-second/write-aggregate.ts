import type { Chance } from './chance.ts';
import type { Part, TrueMetric } from './definitions.ts';
import type { Habit } from './habits.ts';

const MEANINGLESS = ['total', 'n', 'cnt', 'val', 'x', 'result', 'num'];

export function nameOf({ names }: TrueMetric, habit: Habit, chance: Chance): string | undefined {
  if (!chance.is(habit.named)) return undefined;
  const name = chance.is(0.12) ? chance.oneOf(MEANINGLESS) : chance.early(names);
  return habit.alias === 'quoted' && chance.is(0.5) ? `"${name.replaceAll('_', ' ')}"` : name;
}

export function aggregate(part: Part, chance: Chance, habit: Habit, fill: (text: string) => string): string {
  const argument = chance.is(0.65) ? (part.argument[0] ?? '*') : chance.oneOf(part.argument);
  const value = fill(argument);
  const call = part.call === 'DISTINCT' ? 'COUNT' : part.call;
  const distinct = part.call === 'DISTINCT' ? 'DISTINCT ' : '';
  if (part.when === undefined) return `${call}(${distinct}${value})`;
  const when = fill(part.when);
  const how = chance.oneOf(
    habit.when.filter((one) => one !== 'where').concat(habit.when.includes('case') ? [] : 'filter'),
  );
  if (how === 'filter') return `${call}(${distinct}${value}) FILTER (WHERE ${when})`;
  if (call === 'COUNT' && distinct === '')
    return chance.oneOf([`SUM(CASE WHEN ${when} THEN 1 ELSE 0 END)`, `COUNT(CASE WHEN ${when} THEN 1 END)`]);
  const rest = call === 'SUM' && chance.is(0.6) ? ' ELSE 0' : '';
  return `${call}(${distinct}CASE WHEN ${when} THEN ${value}${rest} END)`;
}

export function written(metric: TrueMetric, write: (part: Part) => string, habit: Habit, chance: Chance): string {
  const part = write(metric.part);
  if (metric.per !== undefined) {
    const per = write(metric.per);
    return chance.oneOf([
      `${part} * 1.0 / NULLIF(${per}, 0)`,
      `${part}::numeric / ${per}`,
      `CAST(${part} AS numeric) / NULLIF(${per}, 0)`,
      `ROUND(1.0 * ${part} / ${per}, 3)`,
      `100.0 * ${part} / NULLIF(${per}, 0)`,
    ]);
  }
  const value = metric.scale === undefined ? part : `${part} ${metric.scale}`;
  if (!chance.is(habit.wrapped)) return value;
  return metric.scale === undefined
    ? chance.oneOf([
        `COALESCE(${part}, 0)`,
        `ROUND(${part}::numeric, 2)`,
        `${part}::numeric(14,2)`,
        `CAST(${part} AS numeric)`,
      ])
    : `ROUND(${value}, 1)`;
}
