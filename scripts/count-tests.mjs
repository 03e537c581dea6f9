/**
 * Adds up the JSON reports of vitest and prints one closing line. CI skips nothing: a skipped test fails.
 * Usage: node scripts/count-tests.mjs REPORT.json …
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

let passed = 0;
let failed = 0;
let skipped = 0;
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const pending = report.numPendingTests + report.numTodoTests;
  console.log(
    `${basename(file, '.json')}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${pending} skipped`,
  );
  if (report.numPassedTests === 0) throw new Error(`${file} ran no test`);
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += pending;
  for (const suite of report.testResults)
    for (const test of suite.assertionResults)
      if (test.status !== 'passed') console.log(`  ${test.status}: ${test.fullName}`);
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0 || skipped > 0) process.exitCode = 1;
