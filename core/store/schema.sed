# data/schema.sql as C string literals, a line each
s/\\/\\\\/g
s/"/\\"/g
s/.*/"&\\n"/
