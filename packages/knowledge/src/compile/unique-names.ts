import type { Dialect } from '@askema/core';

const ENCODER = new TextEncoder();

/** Gives names that differ from each other in more than case, and are short enough for the engine. */
export class UniqueNames {
  readonly #taken: Set<string>;
  readonly #longest: number;

  constructor({ identifiers }: Dialect, taken: Iterable<string> = []) {
    this.#taken = new Set([...taken].map((name) => name.toLowerCase()));
    this.#longest = identifiers.maxLength ?? Number.POSITIVE_INFINITY;
  }

  /** The first of the names that is free, else the last of them with a number. */
  take(...wanted: readonly string[]): string {
    const short = wanted.map((name) => this.#shortened(name, 0));
    let name = short.find((candidate) => !this.#taken.has(candidate.toLowerCase()));
    for (let number = 2; name === undefined; number += 1) {
      const candidate = `${this.#shortened(wanted.at(-1) ?? 'value', 5)}_${number}`;
      if (!this.#taken.has(candidate.toLowerCase())) name = candidate;
    }
    this.#taken.add(name.toLowerCase());
    return name;
  }

  /** Keeps a name from being given. */
  reserve(name: string): void {
    this.#taken.add(name.toLowerCase());
  }

  /** Engines count characters or bytes: in bytes every name is long enough to be counted so. */
  #shortened(name: string, room: number): string {
    let end = name.length;
    while (end > 0 && ENCODER.encode(name.slice(0, end)).length > this.#longest - room) end -= 1;
    return name.slice(0, end);
  }
}
