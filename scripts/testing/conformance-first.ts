import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The suites of conformance take minutes, so they start first: none of them runs alone at the end. */
export class ConformanceFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => /conformance\.\w+\.test\.ts$/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
