import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import {
  plainDataset,
  plainField,
  plainMetric,
  plainModel,
  plainRelationship,
  type Target,
} from '../formats/ossie/plain-parts.ts';
import { RELEASE_020, RELEASES } from '../formats/ossie/releases.ts';
import type { PlainObject } from '../formats/plain-object.ts';
import { quoteTexts } from '../formats/write-yaml.ts';
import { mapLists } from '../model/entries.ts';
import type { Dataset, Field, Metric, NamedFilter, Relationship, SemanticModel } from '../model/semantic-model.ts';

/** An entry of a model, and where it belongs. */
export type ModelEntry =
  | { readonly kind: 'dataset'; readonly value: Dataset }
  | { readonly kind: 'field'; readonly value: Field; readonly dataset: Dataset }
  | { readonly kind: 'relationship'; readonly value: Relationship }
  | { readonly kind: 'metric'; readonly value: Metric }
  | { readonly kind: 'filter'; readonly value: NamedFilter };

/** A file of a model as a document, so that comments and the order of what is not touched stay. */
export class ModelDocument {
  readonly #document: Document;
  readonly #base: readonly (string | number)[];
  readonly #target: Target;
  readonly #isJson: boolean;
  /** What stands in the file; only filters follow changes. */
  #model: SemanticModel;
  readonly #metrics: readonly Metric[];

  /** @param others Metrics beside those of the model, of which metrics that are put may be made. */
  constructor(folder: string, path: string, model: SemanticModel, others: readonly Metric[] = []) {
    this.#document = parseDocument(readFileSync(join(folder, path), 'utf8'), { merge: true, stringKeys: true });
    this.#base = this.#document.has('semantic_model') ? ['semantic_model', 0] : [];
    const version = this.#document.get('version');
    this.#target = { release: RELEASES.get(String(version)) ?? RELEASE_020, lost: [] };
    this.#isJson = path.endsWith('.json');
    this.#model = model;
    this.#metrics = [...model.metrics, ...others];
  }

  /** Adds an entry, or replaces the one of its name key by key. */
  put(entry: ModelEntry): void {
    if (entry.kind === 'filter') {
      const others = this.#filtersWithout(entry.value.name);
      this.#setFilters([...others, entry.value]);
      return;
    }
    const plain = this.#plainOf(entry);
    const list = this.#list(entry);
    const old = find(list, entry.value.name);
    if (old !== undefined) this.#merge(old, plain);
    else if (list !== undefined) {
      // An empty list is written as `[]`, and what is put into it would stand on the same line.
      if (list.items.length === 0) list.flow = false;
      list.add(this.#node(plain));
    } else this.#document.setIn(this.#listPath(entry), this.#node([plain]));
  }

  remove(entry: ModelEntry): void {
    if (entry.kind === 'filter') {
      this.#setFilters(this.#filtersWithout(entry.value.name));
      return;
    }
    const list = this.#list(entry);
    const old = find(list, entry.value.name);
    if (list === undefined || old === undefined) return;
    list.delete(list.items.indexOf(old));
    if (list.items.length === 0 && entry.kind !== 'dataset') this.#document.deleteIn(this.#listPath(entry));
  }

  text(): string {
    if (this.#isJson) return `${JSON.stringify(this.#document.toJS(), undefined, 2)}\n`;
    return this.#document.toString({ lineWidth: 0 });
  }

  #plainOf(entry: Exclude<ModelEntry, { kind: 'filter' }>): PlainObject {
    switch (entry.kind) {
      case 'dataset':
        return plainDataset(entry.value, this.#target);
      case 'field':
        return plainField(entry.value, entry.dataset, this.#target);
      case 'relationship':
        return plainRelationship(entry.value, this.#target);
      case 'metric':
        return plainMetric(entry.value, { ...this.#model, metrics: this.#metrics }, this.#target);
    }
  }

  #listPath(entry: Exclude<ModelEntry, { kind: 'filter' }>): (string | number)[] {
    if (entry.kind !== 'field') return [...this.#base, `${entry.kind}s`];
    const datasets = this.#seqAt([...this.#base, 'datasets']);
    const dataset = find(datasets, entry.dataset.name);
    const at = dataset === undefined ? -1 : (datasets?.items.indexOf(dataset) ?? -1);
    return [...this.#base, 'datasets', at, 'fields'];
  }

  #list(entry: Exclude<ModelEntry, { kind: 'filter' }>): YAMLSeq | undefined {
    return this.#seqAt(this.#listPath(entry));
  }

  #seqAt(path: readonly (string | number)[]): YAMLSeq | undefined {
    const node = this.#document.getIn(path, true);
    return isSeq(node) ? node : undefined;
  }

  #filtersWithout(name: string): readonly NamedFilter[] {
    return this.#model.filters.filter((one) => one.name.toLowerCase() !== name.toLowerCase());
  }

  /** Filters stand in our extension of the model, which is written anew. */
  #setFilters(filters: readonly NamedFilter[]): void {
    this.#model = { ...this.#model, filters };
    const head = { ...mapLists(this.#model, () => []), filters };
    const extensions = plainModel(head, this.#target).custom_extensions;
    const path = [...this.#base, 'custom_extensions'];
    if (extensions === undefined) this.#document.deleteIn(path);
    else this.#document.setIn(path, this.#node(extensions));
  }

  /** Sets the keys that differ, and removes those that are gone. */
  #merge(old: YAMLMap, plain: PlainObject): void {
    const before = old.toJS(this.#document) as PlainObject;
    for (const key of Object.keys(before)) if (!(key in plain)) old.delete(key);
    for (const [key, value] of Object.entries(plain))
      if (!isDeepStrictEqual(before[key], value)) old.set(key, this.#node(value));
  }

  #node(value: unknown): ReturnType<Document['createNode']> {
    const node = this.#document.createNode(value, { aliasDuplicateObjects: false });
    if (isNode(node)) quoteTexts(node);
    return node;
  }
}

/** The item of a list that has this name. */
function find(list: YAMLSeq | undefined, name: string): YAMLMap | undefined {
  const wanted = name.toLowerCase();
  return list?.items.filter((item) => isMap(item)).find((item) => String(item.get('name')).toLowerCase() === wanted);
}
