//! The wanted fields among the columns of a Parquet file.

use std::sync::Arc;

use ::parquet::schema::types::SchemaDescriptor;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields as ArrowFields, Schema};

use super::super::{Purpose, Reading, Reason};
use super::values::Values;
use crate::error::Serves;

/// The type required of a text, in words.
pub(super) const TEXT: &str = "a string";
/// The type required of an id, in words.
pub(super) const ID: &str = "a string or a whole number";
/// The type required of a key or an origin, in words.
const KEY: &str = "a string, a number or a time";

/// The wanted columns.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) text: Column,
    pub(super) id: Option<Column>,
    pub(super) key: Option<Column>,
    pub(super) origin: Option<Column>,
}

/// A column, which may be nested in others.
#[derive(Debug)]
pub(super) struct Column {
    /// The field's name, as given by the user.
    pub(super) name: String,
    /// The index of the top-level column, then the index inside that structure, and so on.
    places: Vec<usize>,
    /// The column names at these indices.
    names: Vec<String>,
}

impl Columns {
    /// Finds the fields. A name with dots that is not itself a column is a path into nested
    /// columns. If a file is `empty`, its columns may have any type: programs give those without values one of their own.
    ///
    /// # Errors
    ///
    /// [`Reason::MissingField`] if one is missing, [`Reason::TwoColumns`] if two have its name, [`Reason::WrongType`] if its
    /// type does not fit.
    pub(super) fn new(columns: &ArrowFields, reading: &Reading, empty: bool) -> Result<Self, Reason> {
        let wanted = &reading.fields;
        let column = |name: &String, serves: Serves, must_be: &'static str, classes: &[Class]| {
            let Some(way) = find(columns, name).map_err(|()| Reason::TwoColumns(name.clone()))? else {
                let found = columns.iter().map(|column| column.name().clone()).collect();
                return Err(Reason::MissingField { wanted: name.clone(), serves, found });
            };
            let class = way.last().map_or(Class::Other, |(_, column)| Class::of(column.data_type()));
            if !empty && !classes.contains(&class) {
                return Err(Reason::WrongType { field: name.clone(), found: class.name(), wanted: must_be });
            }
            let (places, names) = way.into_iter().map(|(place, column)| (place, column.name().clone())).unzip();
            Ok(Column { name: name.clone(), places, names })
        };
        let id = |name| column(name, Serves::TextOrId, ID, &[Class::Text, Class::Whole]);
        let plain = [Class::Null, Class::Bool, Class::Whole, Class::Number, Class::Text, Class::Time];
        let key = |serves| move |name| column(name, serves, KEY, &plain);
        let text = match columns.first().filter(|_| reading.purpose == Purpose::Objects) {
            Some(first) => Column { name: String::new(), places: vec![0], names: vec![first.name().clone()] },
            None => column(&wanted.text, Serves::TextOrId, TEXT, &[Class::Text, Class::Null])?,
        };
        Ok(Self {
            text,
            id: wanted.id.as_ref().map(id).transpose()?,
            key: wanted.key.as_ref().map(key(Serves::Key)).transpose()?,
            origin: wanted.origin.as_ref().map(key(Serves::Origin)).transpose()?,
        })
    }

    /// The file's numbers of the wanted leaf columns (columns without nested ones).
    pub(super) fn leaves(&self, file: &SchemaDescriptor) -> Vec<usize> {
        let wanted = [Some(&self.text), self.id.as_ref(), self.key.as_ref(), self.origin.as_ref()];
        let is_wanted = |path: &[String]| wanted.iter().flatten().any(|column| path.starts_with(&column.names));
        let leaves = file.columns().iter().enumerate().filter(|(_, leaf)| is_wanted(leaf.path().parts()));
        leaves.map(|(number, _)| number).collect()
    }
}

impl Column {
    /// The values of this column in some rows.
    pub(super) fn values<'a>(&'a self, rows: &'a RecordBatch) -> Values<'a> {
        let mut array = rows.column(self.places[0]);
        let mut around = Vec::new();
        for &place in &self.places[1..] {
            around.push(array.as_ref());
            array = array.as_struct().column(place);
        }
        Values { around, array: array.as_ref() }
    }

    /// The columns of a file with the values of this one in place of a dictionary; `None` if it is none.
    pub(super) fn plain(&self, schema: &Schema) -> Option<Schema> {
        let columns = plain(schema.fields(), &self.places)?;
        Some(Schema::new_with_metadata(columns, schema.metadata().clone()))
    }

    /// Rows with other values of the same type in this column.
    ///
    /// # Errors
    ///
    /// Null values where the column has none.
    pub(super) fn with(&self, rows: &RecordBatch, values: ArrayRef) -> Result<RecordBatch, ArrowError> {
        let table = StructArray::from(rows.clone());
        let table = replaced(&table, &self.places, values)?;
        RecordBatch::from(table.as_struct()).with_schema(rows.schema())
    }
}

fn plain(columns: &ArrowFields, places: &[usize]) -> Option<ArrowFields> {
    let (place, inner) = places.split_first()?;
    let of = match columns[*place].data_type() {
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        DataType::Struct(columns) => DataType::Struct(plain(columns, inner)?),
        _ => return None,
    };
    let mut columns: Vec<FieldRef> = columns.iter().cloned().collect();
    columns[*place] = Arc::new(columns[*place].as_ref().clone().with_data_type(of));
    Some(columns.into())
}

/// A structure with other values of the column at this path, or these values at its end.
fn replaced(array: &dyn Array, places: &[usize], values: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let Some((&place, inner)) = places.split_first() else { return Ok(values) };
    let (fields, mut columns, nulls) = array.as_struct().clone().into_parts();
    columns[place] = replaced(&columns[place], inner, values)?;
    Ok(Arc::new(StructArray::try_new(fields, columns, nulls)?))
}

/// The path, as indices and columns, to the column of this name, or else to the first one nested in a column whose name begins
/// it. `Err` if two columns have the name.
fn find<'a>(columns: &'a ArrowFields, name: &str) -> Result<Option<Vec<(usize, &'a Field)>>, ()> {
    let mut own = columns.iter().enumerate().filter(|(_, column)| column.name() == name);
    match (own.next(), own.next()) {
        (Some((place, column)), None) => return Ok(Some(vec![(place, column.as_ref())])),
        (Some(_), Some(_)) => return Err(()),
        (None, _) => {}
    }
    for (place, column) in columns.iter().enumerate() {
        let rest = name.strip_prefix(column.name().as_str()).and_then(|rest| rest.strip_prefix('.'));
        if let (Some(rest), DataType::Struct(inner)) = (rest, column.data_type())
            && let Some(mut way) = find(inner, rest)?
        {
            way.insert(0, (place, column));
            return Ok(Some(way));
        }
    }
    Ok(None)
}

/// The same columns, with strings and bytes as views.
pub(super) fn as_views(schema: &Schema) -> Schema {
    Schema::new_with_metadata(views(schema.fields()), schema.metadata().clone())
}

fn views(columns: &ArrowFields) -> ArrowFields {
    let view = |column: &FieldRef| {
        let viewed = match column.data_type() {
            DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
            DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
            DataType::Struct(inner) => DataType::Struct(views(inner)),
            _ => return Arc::clone(column),
        };
        Arc::new(column.as_ref().clone().with_data_type(viewed))
    };
    columns.iter().map(view).collect()
}

/// The type of a column's values, as named in messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Null,
    Bool,
    Whole,
    Number,
    Text,
    Time,
    List,
    Object,
    Other,
}

impl Class {
    fn of(column: &DataType) -> Self {
        match column {
            DataType::Null => Self::Null,
            DataType::Boolean => Self::Bool,
            DataType::Dictionary(_, values) => Self::of(values),
            column if column.is_integer() => Self::Whole,
            column if column.is_numeric() => Self::Number,
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView => Self::Text,
            DataType::Date32
            | DataType::Date64
            | DataType::Time32(_)
            | DataType::Time64(_)
            | DataType::Timestamp(..) => Self::Time,
            DataType::Struct(_) | DataType::Map(..) => Self::Object,
            column if column.is_list() => Self::List,
            _ => Self::Other,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "true or false",
            Self::Whole | Self::Number => "a number",
            Self::Text => "a string",
            Self::Time => "a time",
            Self::List => "a list",
            Self::Object => "an object",
            Self::Other => "of an unusual type",
        }
    }
}
