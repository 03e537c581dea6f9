/**
 * Adds up the JSON reports of vitest and prints one closing line. CI skips nothing: a skipped test fails. Cases of a conformance
 * suite about something that the engine itself does not have are listed, and are no tests of this engine. So is every
 * test that passed at its second try only, with what went wrong at the first.
 * Usage: node scripts/count-tests.mjs REPORT.json …
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

let passed = 0;
let failed = 0;
let skipped = 0;
let again = 0;
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const tests = report.testResults.flatMap((suite) => suite.assertionResults);
  const lacking = tests.filter((test) => test.status !== 'passed' && / \(the engine has no /.test(test.fullName));
  const pending = report.numPendingTests + report.numTodoTests - lacking.length;
  console.log(
    `${basename(file, '.json')}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${pending} skipped`,
  );
  if (report.numPassedTests === 0) throw new Error(`${file} ran no test`);
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped += pending;
  for (const test of tests)
    if (test.status !== 'passed')
      console.log(`  ${lacking.includes(test) ? 'not applicable' : test.status}: ${test.fullName}`);
    else if (test.failureMessages.length > 0) {
      again += 1;
      console.log(`  PASSED AT THE SECOND TRY ONLY: ${test.fullName}`);
      const lines = test.failureMessages.join('\n').split('\n');
      for (const line of lines) if (!/^ +at (new Promise|.*node_modules)/.test(line)) console.log(`    ${line}`);
    }
}
const twice = again === 0 ? '' : `, ${again} OF THEM AT THE SECOND TRY ONLY (named above)`;
console.log(`${passed} passed${twice}, ${failed} failed, ${skipped} skipped`);
if (failed > 0 || skipped > 0) process.exitCode = 1;
