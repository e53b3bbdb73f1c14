import { expect, test } from "vitest";
import {
  dayOf,
  formatDateTime,
  parseDateTimeField,
  startOfDay,
  startOfDaysAgo,
  toDateTimeField,
  yearOf,
} from "#app/kit/dates.ts";

test("a day in São Paulo begins three hours after the one in UTC", () => {
  expect(startOfDay(new Date("2026-11-21T02:59:59Z")).toISOString()).toBe("2026-11-20T03:00:00.000Z");
  expect(startOfDay(new Date("2026-11-21T03:00:00Z")).toISOString()).toBe("2026-11-21T03:00:00.000Z");
});

test("where daylight saving began at midnight the day began at one o'clock", () => {
  // 2018-11-04: 00:00 became 01:00, so the first moment of that day is 03:00 UTC.
  expect(startOfDay(new Date("2018-11-04T15:00:00Z")).toISOString()).toBe("2018-11-04T03:00:00.000Z");
  expect(startOfDay(new Date("2018-11-05T15:00:00Z")).toISOString()).toBe("2018-11-05T02:00:00.000Z");
});

test("where daylight saving ended the day began once, at its first midnight", () => {
  // 2019-02-16 lasted 25 hours: midnight came at 02:00 UTC and 23:00 was lived twice.
  expect(startOfDay(new Date("2019-02-16T12:00:00Z")).toISOString()).toBe("2019-02-16T02:00:00.000Z");
  expect(startOfDay(new Date("2019-02-17T02:30:00Z")).toISOString()).toBe("2019-02-16T02:00:00.000Z");
  expect(startOfDay(new Date("2019-02-17T12:00:00Z")).toISOString()).toBe("2019-02-17T03:00:00.000Z");
});

test("every start of a day lies in that day, and the moment before it in the day before", () => {
  for (let days = 0; days < 4500; days++) {
    const start = startOfDaysAgo(new Date("2026-11-21T12:00:00Z"), days);
    expect(startOfDay(start)).toEqual(start);
    expect(dayOf(new Date(start.getTime() - 1))).not.toBe(dayOf(start));
  }
});

test("moments are written dd/mm/aaaa hh:mm in São Paulo", () => {
  expect(formatDateTime(new Date("2026-01-02T03:04:00Z"))).toBe("02/01/2026 00:04");
});

test("a year in São Paulo begins three hours after the one in UTC", () => {
  expect(yearOf(new Date("2027-01-01T02:59:59Z"))).toBe("2026");
  expect(yearOf(new Date("2027-01-01T03:00:00Z"))).toBe("2027");
});

test("a date and time field is read and filled in São Paulo, also where daylight saving began and ended", () => {
  for (const [text, moment] of [
    ["2026-11-21T07:30", "2026-11-21T10:30:00Z"],
    ["2026-12-31T23:59:59", "2027-01-01T02:59:59Z"],
    ["2019-01-10T10:00", "2019-01-10T12:00:00Z"],
    ["2018-11-03T23:59", "2018-11-04T02:59:00Z"],
    ["2018-11-04T01:00", "2018-11-04T03:00:00Z"],
  ] as const) {
    expect(parseDateTimeField(text), text).toEqual(new Date(moment));
    expect(toDateTimeField(new Date(moment))).toBe(text);
  }
  expect(toDateTimeField(null)).toBe("");
});

test("what is no date and time of the calendar is none", () => {
  for (const text of ["", "2026-02-30T10:00", "2026-13-01T10:00", "2026-01-01T24:10", "2026-01-01", "x"])
    expect(parseDateTimeField(text), text).toBeNull();
});
