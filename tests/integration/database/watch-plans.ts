import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "#tests/support/database.ts";

type Node = {
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Schema?: string;
  "Actual Loops"?: number;
  Plans?: Node[];
};
type Logged = { "Query Text": string; Plan: Node };

/** A statement that read more than one partition of a table, with each such table as `table by index`. */
export type Crossing = { statement: string; lookups: string[] };

/**
 * Has PostgreSQL log the plan of each statement on this file's database, also of those in triggers and foreign keys, with
 * what was executed of it: partitions that the seller rules out are not. Connections that are open already do not log.
 * @returns a function that returns the statements logged so far, and which of them read several partitions
 */
export async function watchPlans(): Promise<() => Promise<{ statements: string[]; crossings: Crossing[] }>> {
  const [{ database, data } = { database: "", data: "" }] = await sql<{ database: string; data: string }[]>`
    select current_database() as database, current_setting('data_directory') as data`;
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_buffers": "off",
    "auto_explain.log_verbose": "on",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_parameter_max_length": "0",
    "auto_explain.log_format": "json",
    // A few rows would be read as a whole and hashed; a shop's many are found by their indexes.
    enable_seqscan: "off",
    enable_hashjoin: "off",
    enable_mergejoin: "off",
  };
  for (const [name, value] of Object.entries(settings))
    await sql.unsafe(`alter database "${database}" set ${name} = '${value}'`);
  const log = join(dirname(data), "postgres.log");
  const start = statSync(log).size;
  return async () => {
    const text = readFileSync(log).subarray(start).toString();
    const plans = [...text.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(([, json]) => JSON.parse(json!) as Logged);
    const statements = new Set<string>();
    const byText = new Map<string, Set<string>>();
    for (const { "Query Text": query, Plan } of plans) {
      const statement = query.replace(/\s+/g, " ").trim();
      statements.add(statement);
      const lookups = crossed(Plan);
      if (lookups.length === 0) continue;
      byText.set(statement, new Set([...(byText.get(statement) ?? []), ...lookups]));
    }
    const crossings = [...byText].map(([statement, lookups]) => ({
      statement,
      lookups: [...lookups].sort(),
    }));
    return { statements: [...statements], crossings };
  };
}

/** The tables of which a plan read more than one partition. */
function crossed(plan: Node): string[] {
  const read = new Map<string, Set<string>>();
  const visit = (node: Node): void => {
    const { "Relation Name": table, "Index Name": index, Schema: schema } = node;
    if (table && schema?.startsWith("part_") && node["Actual Loops"]! > 0) {
      const key = `${table} by ${index ?? "all"}`;
      read.set(key, (read.get(key) ?? new Set()).add(schema));
    }
    node.Plans?.forEach(visit);
  };
  visit(plan);
  return [...read].filter(([, partitions]) => partitions.size > 1).map(([key]) => key);
}
