import { Name, SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Channel, notifyExpression } from "#app/db/notify.server.ts";

/**
 * A common table expression of a statement. In a template it is its name: sql`select id from ${moved}`. `Column` lists the
 * columns that others may read, so that a function can require what it needs.
 */
export class Cte<Column extends string = never> extends Name {
  /** Prevents CTEs without a column from being passed where it is required. */
  declare readonly columns: (column: Column) => void;
}

/**
 * A statement made of common table expressions. Functions that write part of a change add their CTEs to it and return what
 * others may refer to. Names are generated here: one that is missing does not compile, and a repeated label gets a name of
 * its own.
 */
export class Statement {
  readonly #parts: SQL[] = [];
  readonly #labels = new Map<string, number>();
  readonly #outputs: SQL[] = [];

  /**
   * Adds a CTE, which later ones may read.
   * @param label the name it has in plans and logs
   * @param how `materialized`: computed once, and planned by itself
   */
  add<Column extends string = never>(label: string, body: SQLWrapper, how?: "materialized"): Cte<Column> {
    const uses = (this.#labels.get(label) ?? 0) + 1;
    this.#labels.set(label, uses);
    const cte = new Cte<Column>(uses === 1 ? label : `${label}_${uses}`);
    // A query of Drizzle's brings its own parentheses.
    const as = how ? sql`as materialized` : sql`as`;
    this.#parts.push(body instanceof SQL ? sql`${cte} ${as} (${body})` : sql`${cte} ${as} ${body}`);
    return cte;
  }

  /** Notifies other processes, once the transaction commits, if a CTE has a row. */
  notify(channel: Channel, payload: string | SQL, rows: Cte): void {
    this.#outputs.push(sql`(select ${notifyExpression(channel, payload)} from ${rows} limit 1)`);
  }

  /**
   * The statement, with one row for each of a CTE.
   * @param columns the columns returned
   * @param rest what follows: a condition, an order, a limit
   */
  selectFrom(rows: Cte, columns?: SQL, rest?: SQL): SQL {
    const outputs = columns ? [columns, ...this.#outputs] : this.#outputs;
    return sql`with ${sql.join(this.#parts, sql`, `)} select ${sql.join(outputs, sql`, `)} from ${rows}${rest ? sql` ${rest}` : sql``}`;
  }

  /** The statement, with one row in any case. */
  select(): SQL {
    return sql`with ${sql.join(this.#parts, sql`, `)} select ${sql.join(this.#outputs, sql`, `)}`;
  }
}
