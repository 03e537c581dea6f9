import { ansiLexer } from '@askema/dialects';
import { sameName } from '../../model/same-name.ts';
import { ansi, type Dataset, type Field, type Metric } from '../../model/semantic-model.ts';
import { isName, readExpressionText } from '../expression-text.ts';
import type { Path } from '../read-yaml.ts';
import { fieldTypeOf } from '../sql-field-type.ts';
import { readProperties } from './read-models.ts';
import { READ_KEYS, type WrenCube, type WrenPart } from './wren-file.ts';
import { type Losses, type Part, standingOf } from './wren-parts.ts';

/** What a cube adds: metrics over its model, and fields that the model does not have. */
export interface ReadCube {
  readonly dataset: string;
  readonly metrics: readonly Metric[];
  readonly fields: readonly Field[];
}

/** @param usedNames names of metrics, in lower case; those of this cube are added. */
export function readCube(
  { content: cube, origin }: Part<WrenCube>,
  datasets: ReadonlyMap<string, Dataset>,
  usedNames: Set<string>,
  losses: Losses,
): ReadCube | undefined {
  const entry = `cube ${cube.name}`;
  const dataset = datasets.get(cube.base_object.toLowerCase());
  if (dataset === undefined) {
    losses.lose(
      origin,
      ['base_object'],
      entry,
      `It stands on \`${cube.base_object}\`, which is no model that is read.`,
    );
    return undefined;
  }
  losses.loseUnread(origin, [], cube, READ_KEYS.cube, entry);
  const { description } = readProperties(cube.properties, origin, ['properties'], entry, losses);
  if (description !== undefined)
    losses.lose(origin, ['properties', 'description'], `${entry}: description`, 'A cube is no entry of its own here.');
  const described = (part: WrenPart, path: Path, name: string) => {
    const read = readProperties(part.properties, origin, [...path, 'properties'], name, losses);
    return part.description ? { ...read, description: part.description } : read;
  };
  const metrics = cube.measures.flatMap((measure, at): Metric[] => {
    const path = ['measures', at];
    const text = readExpressionText(measure.expression, ansiLexer);
    if (text.hasWindow || text.hasQuery || !text.hasAggregate) {
      losses.lose(origin, path, `metric ${measure.name}`, 'Only aggregates are read: no window functions, no queries.');
      return [];
    }
    const isTaken = usedNames.has(measure.name.toLowerCase());
    const name = isTaken ? `${cube.name}_${measure.name}` : measure.name;
    if (isTaken)
      losses.lose(origin, path, `metric ${measure.name}`, `Another metric has this name; it is called ${name}.`);
    usedNames.add(name.toLowerCase());
    return [
      {
        name,
        ...described(measure, path, `metric ${name}`),
        type: measure.type ? fieldTypeOf(measure.type) : undefined,
        definition: {
          kind: 'aggregate',
          dataset: dataset.name,
          expressions: ansi(measure.expression),
        },
        extensions: [],
        standing: { ...standingOf(origin), place: { file: origin.file, line: origin.lineOf([...path, 'name']) } },
      },
    ];
  });
  const parts = [
    ...(cube.dimensions ?? []).map((part, at) => ({ part, path: ['dimensions', at], isTime: false })),
    ...(cube.time_dimensions ?? []).map((part, at) => ({ part, path: ['time_dimensions', at], isTime: true })),
  ];
  const fields = parts.flatMap(({ part, path, isTime }): Field[] => {
    const name = `field ${dataset.name}.${part.name}`;
    const same = dataset.fields.find((field) => sameName(field.name, part.name));
    const isSame = isName(part.expression) && sameName(part.expression, part.name);
    if (same !== undefined) {
      if (!isSame && same.expressions[0]?.expression !== part.expression)
        losses.lose(
          origin,
          path,
          name,
          `The model has a field of this name; the cube takes it as \`${part.expression}\`.`,
        );
      return [];
    }
    return [
      {
        name: part.name,
        expressions: ansi(part.expression),
        dimension: isTime ? { isTime } : {},
        ...described(part, path, name),
        type: part.type ? fieldTypeOf(part.type) : undefined,
        values: [],
        extensions: [],
      },
    ];
  });
  return { dataset: dataset.name, metrics, fields };
}
