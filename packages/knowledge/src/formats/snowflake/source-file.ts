import type { Extension } from '../../model/semantic-model.ts';
import type { Place, Standing } from '../../model/standing.ts';
import type { Loss } from '../conversion.ts';
import { invalidAt, unreadKeys } from '../read-shape.ts';
import type { Path, YamlFile } from '../read-yaml.ts';
import type { SnowflakeFile } from './snowflake-file.ts';

/** A file that is being read, with what it loses. */
export class SourceFile {
  readonly lost: Loss[] = [];
  readonly #yaml: YamlFile;
  readonly #file: string;
  readonly content: SnowflakeFile;

  constructor(yaml: YamlFile, file: string, content: SnowflakeFile) {
    this.#yaml = yaml;
    this.#file = file;
    this.content = content;
  }

  standing(path: Path): Standing {
    return { state: 'proposed', source: 'snowflake', place: this.#place(path) };
  }

  lose(path: Path, what: string, reason: string): void {
    this.lost.push({ what, place: this.#place(path), reason });
  }

  #place(path: Path): Place {
    return { file: this.#file, line: this.#yaml.lineOf(path) };
  }

  invalid(path: Path, reason: string, advice: string): Error {
    return invalidAt(this.#yaml, this.#file, path, reason, advice);
  }

  /** What is in no extension either. */
  drop(value: object, read: readonly string[], path: Path, entry: string): void {
    for (const { key, hint } of unreadKeys(value, read))
      this.lose([...path, key], `${entry}: ${key}`, `Nothing here acts by it. ${hint}`.trim());
  }

  /** What our model lacks, for the exporter. */
  keep(value: object, read: readonly string[], path: Path, entry: string): Extension[] {
    const kept = unreadKeys(value, read);
    for (const { key, hint } of kept)
      this.lose(
        [...path, key],
        `${entry}: ${key}`,
        `Nothing here acts by it; it is kept for Snowflake. ${hint}`.trim(),
      );
    return extensionOf(Object.fromEntries(kept.map(({ key }) => [key, (value as Record<string, unknown>)[key]])));
  }
}

export function extensionOf(kept: Readonly<Record<string, unknown>>): Extension[] {
  return Object.keys(kept).length === 0 ? [] : [{ vendor: 'SNOWFLAKE', data: JSON.stringify(kept) }];
}
