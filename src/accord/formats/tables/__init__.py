"""Tables of cells: delimited text, JSON Lines, Parquet, workbooks."""
