export interface Failure {
  id: string;
  name: string;
  error: unknown;
}

/** As many as a server answers beside what else it is asked. */
const AT_ONCE = 4;

/** Does `work` for each of `items`, a few at once; what fails does not stop the others, and is given back in the order of the items. */
export async function runForEach<Item extends { id: string; filename: string }>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  onDone: (done: number) => void,
): Promise<Failure[]> {
  const failures = new Map<Item, Failure>();
  const waiting = [...items];
  let done = 0;
  onDone(0);
  const worker = async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) {
      try {
        await work(item);
      } catch (error) {
        failures.set(item, { id: item.id, name: item.filename, error });
      }
      onDone(++done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return items.flatMap((item) => failures.get(item) ?? []);
}
