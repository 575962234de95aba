import { basename } from 'node:path';

interface Module {
  importers: readonly string[];
  dynamicImporters: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): Module | null;
}

const SERVER = 'process';
/** Programs that share modules with the server, the one that needs the fewest first. */
const PROGRAMS = ['main', 'write-back-thread', 'print-thread', 'reader-thread', 'backup-work', 'holdpoint'];

/**
 * The file of a module that the server's start needs; undefined of any other, which the bundler places. By itself it makes a file for each
 * set of programs that share something: fifty, which a start finds, reads and links one by one. These few are read whole by the
 * server, and each other program reads those of the programs before it.
 */
export function chunkOf(id: string, graph: Graph): string | undefined {
  const starts = reaching(id, graph, ({ importers }) => importers);
  if (!starts.has(SERVER) || basename(id, '.ts') === SERVER) return undefined;
  const sharing = PROGRAMS.find(program => starts.has(program));
  // Of a package the bundler knows better what is used.
  if (sharing) return id.includes('node_modules') ? undefined : `with-${sharing}`;
  const commands = reaching(id, graph, ({ importers, dynamicImporters }) => [
    ...importers,
    ...dynamicImporters,
  ]);
  return commands.has('holdpoint') ? 'with-commands' : 'station';
}

/** Names of the modules from which one is reached. */
function reaching(id: string, graph: Graph, by: (module: Module) => readonly string[]): Set<string> {
  const seen = new Set([id]);
  for (const each of seen) {
    const module = graph.getModuleInfo(each);
    for (const importer of module ? by(module) : []) seen.add(importer);
  }
  return new Set([...seen].filter(each => !each.includes('node_modules')).map(each => basename(each, '.ts')));
}
