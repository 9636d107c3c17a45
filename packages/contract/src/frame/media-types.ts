/** The media type of an Excel file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The media type of a CSV file. */
export const CSV_TYPE = 'text/csv; charset=utf-8';
