import { formatDateTime } from "#app/kit/dates.ts";

/** A moment in a table's cell: day and time, on a wide screen in two lines. */
export function DayAndTime({ moment }: { moment: Date }) {
  const [day, time] = formatDateTime(moment).split(" ");
  return (
    <>
      <span className="xl:block xl:text-base-content xl:text-sm">{day}</span> <span>{time}</span>
    </>
  );
}
