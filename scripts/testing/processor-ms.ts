/** Milliseconds that this process has computed: other work on the machine does not count, as it would by the clock. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
